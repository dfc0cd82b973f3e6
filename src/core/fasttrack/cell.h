// A variable's history in 24 bytes: the write epoch and the read epoch, each with its site. Shared
// reads and atomic accesses live in a side structure behind a tag in the read word.
#pragma once

#include "core/clock/read_map.h"
#include "core/memory/pool.h"

namespace steward::fasttrack {

class Cell {
 public:
  struct Side {
    explicit Side(Pool& pool) : reads(pool), atomic_writes(pool), atomic_reads(pool) {}
    ReadMap reads;          // these two first: all that a read needs
    ReadMap atomic_writes;
    ReadMap atomic_reads;
  };

  Stamp write() const { return {write_, write_site_}; }
  void set_write(const Stamp& s) {
    write_ = s.epoch;
    write_site_ = s.site;
  }

  bool has_side() const { return (read_ & kTag) != 0; }
  // R_f = epoch(t): the one read known is of this epoch.
  bool read_is(Epoch e) const {
    return read_ == e.word() || (has_side() && peek().reads.single().epoch == e);
  }
  // Only without a side structure.
  Stamp read() const { return {Epoch::from_word(read_), read_site_}; }
  void set_read(const Stamp& s) {
    read_ = s.epoch.word();
    read_site_ = s.site;
  }

  Side& side(Pool& pool) {
    if (!has_side()) {
      auto* side = pool.make<Side>(pool);
      side->reads.set_single(read());
      read_ = reinterpret_cast<std::uint64_t>(side) | kTag;
    }
    return const_cast<Side&>(peek());
  }
  const Side& peek() const { return *reinterpret_cast<const Side*>(read_ & ~kTag); }

  // Back to the small form when it can hold all there is.
  void settle(Pool& pool) {
    if (!has_side()) return;
    Side& s = side(pool);
    if (s.reads.size() > 1 || !s.atomic_reads.empty() || !s.atomic_writes.empty()) return;
    const Stamp last = s.reads.single();
    pool.destroy(&s);
    set_read(last);
  }

  void clear_reads(Pool& pool) {
    if (has_side()) pool.destroy(&side(pool));
    set_read({});
  }

  // What memory/granule.h asks of a state.
  bool empty() const { return write_.is_minimal() && read_ == 0; }
  void destroy(Pool& pool) { clear_reads(pool); }
  Cell clone(Pool& pool) const {
    Cell c = *this;
    if (has_side()) {
      c.set_read({});
      Side& to = c.side(pool);
      const Side& from = peek();
      from.reads.for_each([&](const Stamp& s) { to.reads.put(s); });
      from.atomic_reads.for_each([&](const Stamp& s) { to.atomic_reads.put(s); });
      from.atomic_writes.for_each([&](const Stamp& s) { to.atomic_writes.put(s); });
    }
    return c;
  }

 private:
  static constexpr std::uint64_t kTag = std::uint64_t{1} << 63;

  Epoch write_;
  std::uint64_t read_ = 0;  // an epoch's word, or kTag and a Side's address
  SiteId write_site_ = kNoSite;
  SiteId read_site_ = kNoSite;
};
static_assert(sizeof(Cell) == 24);

}  // namespace steward::fasttrack
