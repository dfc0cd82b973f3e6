// FastTrack (PACER paper, Algorithms 7-8 with read-map clearing) on vector-clock synchronisation.
#pragma once

#include "core/detector/detector.h"
#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "core/generic/happens_before.h"
#include "core/memory/byte_map.h"

namespace steward {

class FastTrack {
 public:
  explicit FastTrack(Pool& pool, Clock limit = kMaxClock)
      : pool_(&pool), order_(pool, limit), variables_(pool) {}

  // found(const Conflict&, ThreadId earlier, Address, bytes) for each race.
  template <class Found>
  [[gnu::always_inline]] void access(AccessKind kind, ThreadId id, Address address,
                                     std::uint64_t size, SiteId site, const Found& found) {
    const HappensBefore::Thread& t = order_.thread(id);
    const auto transition = [&](fasttrack::Cell& f, Address at,
                                unsigned bytes) __attribute__((always_inline)) {
      const Verdict v = fasttrack::access(*pool_, f, t, kind, site, true);
      ++counts_[static_cast<unsigned>(v.rule)];
      for (unsigned i = 0; i < v.listed(); ++i) {
        found(v[i], order_.owner(v[i].stamp.epoch), at, bytes);
      }
    };
    variables_.visit(address, size, transition);
  }

  void prefetch(Address a) { variables_.prefetch(a); }

  HappensBefore& order() { return order_; }
  void clear(Address a, std::uint64_t size) { variables_.clear(a, size); }
  void copy(Address from, Address to, std::uint64_t size) { variables_.copy(from, to, size); }

  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    for (unsigned r = 0; r < kAccessRules; ++r) f({name(static_cast<AccessRule>(r)), counts_[r]});
    order_.for_each_stat(f);
  }

 private:
  Pool* pool_;
  HappensBefore order_;
  ByteMap<fasttrack::Cell, PagedDirectory> variables_;
  std::array<std::uint64_t, kAccessRules> counts_{};
};

}  // namespace steward
