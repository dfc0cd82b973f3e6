// GENERIC (PACER paper, Algorithms 1-6): a vector clock for every kind of access to a variable.
// O(n) in everything, and nothing to get wrong: it reports at every access that races with any
// earlier one.
//
// Deviation: atomic accesses have vectors of their own; a kind is checked against the kinds it
// conflicts with.
#pragma once

#include "core/detector/detector.h"
#include "core/detector/verdict.h"
#include "core/generic/happens_before.h"
#include "core/memory/byte_map.h"

namespace steward {

class Generic {
 public:
  explicit Generic(Pool& pool, Clock limit = kMaxClock)
      : pool_(&pool), order_(pool, limit), variables_(pool) {}

  // found(const Conflict&, ThreadId earlier, Address, bytes) for each race.
  template <class Found>
  void access(AccessKind kind, ThreadId id, Address address, std::uint64_t size, SiteId site,
              const Found& found) {
    const HappensBefore::Thread& t = order_.thread(id);
    variables_.visit(address, size, [&](Variable& f, Address at, unsigned bytes) {
      ++accesses_[static_cast<unsigned>(kind)];
      f.check(t, kind, [&](const Conflict& c) { found(c, order_.owner(c.stamp.epoch), at, bytes); });
      f.record(*pool_, t, kind, site);
    });
  }

  HappensBefore& order() { return order_; }
  void clear(Address a, std::uint64_t size) { variables_.clear(a, size); }
  void copy(Address from, Address to, std::uint64_t size) { variables_.copy(from, to, size); }

  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    for (unsigned k = 0; k < 4; ++k) f({name(static_cast<AccessKind>(k)), accesses_[k]});
    order_.for_each_stat(f);
  }

 private:
  struct Mark {
    Clock clock = 0;
    SiteId site = kNoSite;
  };

  class Variable {
   public:
    template <class F>
    void check(const HappensBefore::Thread& t, AccessKind kind, F found) const {
      for (unsigned k = 0; k < 4; ++k) {
        const auto earlier = static_cast<AccessKind>(k);
        if (marks_[k] == nullptr || !conflict(earlier, kind)) continue;
        std::uint32_t slot = 0;
        for (const Mark& m : *marks_[k]) {
          const Epoch e{Slot{slot++}, m.clock};
          if (!t.covers(e)) found(Conflict{earlier, Stamp{e, m.site}});
        }
      }
    }
    void record(Pool& pool, const HappensBefore::Thread& t, AccessKind kind, SiteId site) {
      auto*& marks = marks_[static_cast<unsigned>(kind)];
      if (marks == nullptr) marks = pool.make<SlotVector<Mark>>(pool);
      marks->set(t.epoch().slot(), Mark{t.epoch().clock(), site});
    }

    bool empty() const {
      for (auto* m : marks_) {
        if (m != nullptr) return false;
      }
      return true;
    }
    void destroy(Pool& pool) {
      for (auto*& m : marks_) {
        if (m != nullptr) pool.destroy(m);
        m = nullptr;
      }
    }
    Variable clone(Pool& pool) const {
      Variable v;
      for (unsigned k = 0; k < 4; ++k) {
        if (marks_[k] == nullptr) continue;
        v.marks_[k] = pool.make<SlotVector<Mark>>(pool);
        v.marks_[k]->copy(*marks_[k]);
      }
      return v;
    }

   private:
    SlotVector<Mark>* marks_[4] = {};  // by AccessKind
  };

  Pool* pool_;
  HappensBefore order_;
  ByteMap<Variable, PagedDirectory> variables_;
  std::array<std::uint64_t, 4> accesses_{};
};

}  // namespace steward
