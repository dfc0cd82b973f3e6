#include "runtime/shadow/roll.h"

#include "runtime/mem/lock.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt {
namespace {

constexpr unsigned kMost = 1024;  // 4 MB of them, if so many are in use at once
SpinLock lock;                    // guards the rest
Roll* latest = nullptr;           // read without
Roll* free_rolls = nullptr;
unsigned made = 0;

}  // namespace

bool Roll::try_hold() {
  std::uint32_t uses = uses_.load(std::memory_order_relaxed);
  do {
    if (uses == 0) return false;
  } while (!uses_.compare_exchange_weak(uses, uses + 1, std::memory_order_acquire,
                                        std::memory_order_relaxed));
  return true;
}

void Roll::let_go() {
  if (uses_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const Locked guard(lock);
  next_free_ = free_rolls;
  free_rolls = this;
}

// It may have been used again as another, before it could be held: that is as good.
Roll* Roll::hold_latest() {
  for (;;) {
    Roll* const roll = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
    if (roll == nullptr || roll->try_hold()) return roll;
  }
}

// As the latest, but for this thread's epoch, and for those that the thread comes after: there the
// others have gone on, as all have after a barrier, and say so when they come.
Roll* Roll::make_latest(const ThreadState& t) {
  Roll* before;
  Roll* roll;
  {
    const Locked guard(lock);
    before = latest;
    if (before != nullptr && before->admits(t.epoch)) {  // somebody else has made it
      before->hold();
      return before;
    }
    roll = free_rolls;
    if (roll != nullptr) {
      free_rolls = roll->next_free_;
    } else if (made < kMost) {
      roll = static_cast<Roll*>(sys::map(sizeof(Roll)));
      ++made;
    } else {
      return nullptr;
    }
    for (unsigned slot = 0; slot < kMaxSlots; ++slot) {
      const Epoch30 e = before == nullptr ? 0 : before->of(slot);
      __atomic_store_n(&roll->epochs_[slot], t.covers(unpack(e)) ? 0 : e, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&roll->epochs_[t.epoch >> kClockBits], t.epoch, __ATOMIC_RELAXED);
    __atomic_store_n(&roll->slots_, before == nullptr ? 0 : before->slots(), __ATOMIC_RELAXED);
    roll->note_slot(t.epoch >> kClockBits);
    roll->uses_.store(2, std::memory_order_release);
    __atomic_store_n(&latest, roll, __ATOMIC_RELEASE);
  }
  if (before != nullptr) before->let_go();
  return roll;
}

Roll* Roll::hold_for(const ThreadState& t, bool lasts) {
  if (!lasts) {  // most have gone on since it was made: then its line is not written for nothing
    const Roll* const now = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
    const Epoch30 e = now == nullptr ? 0 : now->of(t.epoch >> kClockBits);
    if (e != 0 && e != t.epoch) return nullptr;
  }
  Roll* const roll = hold_latest();
  if (roll != nullptr) {
    if (roll->admits(t.epoch)) return roll;
    roll->let_go();
  }
  return lasts || roll == nullptr ? make_latest(t) : nullptr;
}

void Roll::lock_for_fork() {
  lock.lock();
}
void Roll::unlock_after_fork() {
  lock.unlock();
}
void Roll::forget_latest() {
  Roll* const roll = latest;
  __atomic_store_n(&latest, nullptr, __ATOMIC_RELEASE);
  if (roll != nullptr) roll->let_go();
}

}  // namespace steward::rt
