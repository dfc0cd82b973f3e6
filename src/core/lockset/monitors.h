// The locks a thread holds: a stack that every acquire and release changes, and the set of it that
// only an access to an escaped object needs. Most critical sections touch none, so the set is made
// when it is asked for (section 4.2).
#pragma once

#include "core/lockset/lock_sets.h"
#include "event/event.h"
#include "event/race.h"

namespace steward::lockset {

class Monitors {
 public:
  explicit Monitors(Pool& pool)
      : held_(PoolAllocator<Held>(pool)), scratch_(PoolAllocator<LockSets::Lock>(pool)) {}

  void acquire(SyncId lock, SyncMode mode) {
    held_.push_back({raw(lock), mode == SyncMode::Shared});
    known_ = 0;
  }
  // Locks need not be released in the order of a stack; one acquired twice is held until the second
  // release.
  void release(SyncId lock) {
    for (std::size_t i = held_.size(); i-- > 0;) {
      if (held_[i].lock != raw(lock)) continue;
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
      known_ = 0;
      return;
    }
  }

  void clear() {
    held_.clear();
    known_ = 0;
  }

  // The locks that protect an access of this kind: one held for reading protects reads only.
  SetId protecting(AccessKind kind, LockSets& sets) {
    const auto k = static_cast<unsigned>(kind);
    if ((known_ >> k & 1) == 0) {
      sets_[k] = convert(kind, sets);
      known_ |= static_cast<std::uint8_t>(1u << k);
      ++conversions_;
    }
    return sets_[k];
  }

  std::uint64_t conversions() const { return conversions_; }

 private:
  struct Held {
    std::uint64_t lock;
    bool for_reading;
  };

  SetId convert(AccessKind kind, LockSets& sets) {
    scratch_.clear();
    for (const Held& h : held_) {
      if (!(h.for_reading && is_write(kind))) scratch_.push_back(h.lock);
    }
    if (is_atomic(kind)) scratch_.push_back(kAtomicity);
    std::ranges::sort(scratch_);
    const auto rest = std::ranges::unique(scratch_);
    scratch_.erase(rest.begin(), rest.end());
    return sets.intern(scratch_);
  }

  std::vector<Held, PoolAllocator<Held>> held_;
  std::vector<LockSets::Lock, PoolAllocator<LockSets::Lock>> scratch_;
  SetId sets_[4] = {};      // by AccessKind
  std::uint8_t known_ = 0;  // bit k: sets_[k] is that of held_
  std::uint64_t conversions_ = 0;
};

}  // namespace steward::lockset
