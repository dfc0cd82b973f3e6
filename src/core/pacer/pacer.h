// PACER: FastTrack on the accesses that are sampled, checks alone on the others, and nothing at all
// on a variable of which nothing sampled is left (paper, Algorithms 12-13, Table 4).
#pragma once

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "core/memory/byte_map.h"
#include "core/pacer/order.h"

namespace steward {

class Pacer {
 public:
  using Scope = pacer::Scope;

  explicit Pacer(Pool& pool, Scope scope = Scope::Global, Clock limit = kMaxClock)
      : pool_(&pool), order_(pool, scope, limit), variables_(pool) {}

  // found(const Conflict&, ThreadId earlier, Address, bytes) for each race.
  template <class Found>
  void access(AccessKind kind, ThreadId id, Address address, std::uint64_t size, SiteId site,
              const Found& found) {
    const pacer::Order::Thread& t = order_.thread(id);
    const bool sampling = t.sampling;
    const unsigned k = is_write(kind) ? 1 : 0;
    if (!sampling && variables_.directory().empty()) {
      ++fast_path_[k];
      return;
    }
    bool any = sampling;
    auto transition = [&](fasttrack::Cell& f, Address at, unsigned bytes) {
      if (!sampling && f.empty()) return;
      any = true;
      const Verdict v = fasttrack::access(*pool_, f, t, kind, site, sampling);
      ++counts_[static_cast<unsigned>(v.rule)][sampling ? 1 : 0];
      for (unsigned i = 0; i < v.listed(); ++i) {
        found(v[i], order_.owner(v[i].stamp.epoch), at, bytes);
      }
    };
    if (sampling) {
      variables_.visit(address, size, transition);
    } else {
      variables_.visit_existing(address, size, transition);
    }
    if (any) {
      ++slow_path_[k][sampling ? 1 : 0];
    } else {
      ++fast_path_[k];
    }
  }

  void prefetch(Address a) { variables_.prefetch(a); }

  pacer::Order& order() { return order_; }
  const pacer::Order& order() const { return order_; }
  void sample_all(bool on) { order_.sample_all(on); }
  void sample(ThreadId t, bool on) { order_.sample(t, on); }
  void clear(Address a, std::uint64_t size) { variables_.clear(a, size); }
  void copy(Address from, Address to, std::uint64_t size) { variables_.copy(from, to, size); }

  // Granules of which something sampled is held.
  std::size_t tracked() const { return variables_.directory().size(); }

  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    f({"reads, slow path", slow_path_[0][0], slow_path_[0][1], true});
    f({"reads, fast path", fast_path_[0], 0, true});
    f({"writes, slow path", slow_path_[1][0], slow_path_[1][1], true});
    f({"writes, fast path", fast_path_[1], 0, true});
    for (unsigned r = 0; r < kAccessRules; ++r) {
      f({name(static_cast<AccessRule>(r)), counts_[r][0], counts_[r][1], true});
    }
    order_.for_each_stat(f);
  }
  std::uint64_t count(AccessRule r, bool sampling) const {
    return counts_[static_cast<unsigned>(r)][sampling ? 1 : 0];
  }
  std::uint64_t slow_path(bool write, bool sampling) const {
    return slow_path_[write ? 1 : 0][sampling ? 1 : 0];
  }
  std::uint64_t fast_path(bool write) const { return fast_path_[write ? 1 : 0]; }

 private:
  Pool* pool_;
  pacer::Order order_;
  ByteMap<fasttrack::Cell, HashDirectory> variables_;
  std::array<std::array<std::uint64_t, 2>, kAccessRules> counts_{};
  std::array<std::array<std::uint64_t, 2>, 2> slow_path_{};  // [write][sampling]
  std::array<std::uint64_t, 2> fast_path_{};                 // [write]
};

}  // namespace steward
