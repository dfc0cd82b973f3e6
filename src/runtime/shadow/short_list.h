// A granule's accesses as a list of up to three, in the 16 bytes of its cell: bytes of several
// histories, as words read at any byte make them, with no memory beside the shadow and no lock.
//
//   write word: 10 | E1 (30) | 10 | E0 (30)      read word: 1, kinds and masks (27) | 10 | E2 (30)
//
// Each half has its highest bit set, so that none looks like an epoch to the same-epoch checks.
#pragma once

#include "runtime/shadow/access_list.h"
#include "runtime/shadow/cell.h"

namespace steward::rt {

class ShortList {
 public:
  static constexpr unsigned kHeld = 3;  // by a cell
  using Entry = AccessList::Entry;
  using Mask = AccessList::Mask;

  static ShortList of(const ShadowCell& cell);  // any form but a side
  // One step of core's rules, as AccessList's.
  template <class Thread, class F>
  void access(const Thread& t, Epoch30 now, AccessKind kind, Mask mask, F race) {
    const Mask left = AccessList::step(entries_, size_, t, now, kind, mask, race);
    if (left != 0) add({now, kind, left});
  }
  void add(const Entry& e) {
    if (!unpack(e.epoch).is_minimal() && e.mask != 0 && !AccessList::merge(entries_, size_, e)) {
      entries_[size_++] = e;
    }
  }
  // Has `now` made such an access to all of these bytes?
  static bool has(const ShadowCell& cell, Epoch30 now, bool write, Mask mask) {
    for (const Entry& e : decoded(cell)) {
      if (e.epoch == now && (is_write(e.kind) || !write)) mask = static_cast<Mask>(mask & ~e.mask);
    }
    return mask == 0;
  }

  const Entry* begin() const { return entries_; }
  const Entry* end() const { return entries_ + size_; }

 private:
  struct Decoded {
    Entry entries[kHeld];
    const Entry* begin() const { return entries; }
    const Entry* end() const { return entries + kHeld; }
  };
  static Decoded decoded(const ShadowCell& c) {
    Decoded d;
    const std::uint64_t epochs[kHeld] = {c.write, c.write >> 32, c.read};
    for (unsigned i = 0; i < kHeld; ++i) {
      d.entries[i] = {static_cast<Epoch30>(epochs[i]) & Word::kEpoch,
                      (c.read >> (56 + i) & 1) != 0 ? AccessKind::Write : AccessKind::Read,
                      static_cast<Mask>(c.read >> (32 + 8 * i))};
    }
    return d;
  }

  Entry entries_[5];  // two runs each of reads and writes, and one more
  std::uint32_t size_ = 0;
};

// The cell that says the same as these accesses: two words, readers, or a short list. False: there
// is none.
bool encode(const AccessList::Entry* begin, const AccessList::Entry* end, ShadowCell& out);

}  // namespace steward::rt
