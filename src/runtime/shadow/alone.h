// Alone in a region that is everybody's, for a long walk: its cells are then changed by plain
// stores, as by an owner. A locked instruction for each would cost more than all else.
//
// Who makes a single step there looks at the region's word before it loads the cell, and again
// after its exchange. Who comes to be alone does that by a locked instruction, so either it sees
// what the exchange put there, or the other sees the word changed, waits until nobody is alone, and
// makes its step again on what is there then. That is right: the step that was lost was one of a
// thread still in it, so nobody can have come after it. The cells are loaded and stored as a whole:
// half a step that stayed would look to the second try like one that had been made.
#pragma once

#include "runtime/mem/lock.h"
#include "runtime/shadow/owner.h"
#include "runtime/tool.h"

namespace steward::rt::owner {

// PACER's sweep and the lockset tool change cells of everybody's at their own times.
inline constexpr bool kMayBeAlone = !kSamples && !kLockset;
// And 16 bytes must be loaded and stored as one.
inline bool may_be_alone = false;  // set at the runtime's start

class Visit {
 public:
  explicit Visit(uptr a) : word_(word_of(a)), seen_(__atomic_load_n(&word_, __ATOMIC_ACQUIRE)) {}
  // Of an owner, in a section that began before.
  bool is_of(const ThreadState& t) const { return owner::is_of(seen_, t); }
  // Is it everybody's, and nobody alone there?
  bool may() const { return (seen_ & (kEverybody | kAlone)) == kEverybody; }
  // After an exchange: has nobody been alone there meanwhile? If somebody has, what is there when
  // this returns stays, and is no longer what a plain store will be put over.
  bool was_undisturbed() const {
    if (!kMayBeAlone || __atomic_load_n(&word_, __ATOMIC_ACQUIRE) == seen_) return true;
    wait();
    return false;
  }
  // Of a region that is known to be everybody's, when nobody is alone there.
  static Visit when_free(uptr a) {
    for (unsigned i = 0;; ++i) {
      const Visit v(a);
      if ((v.seen_ & kAlone) == 0) return v;
      pause_or_yield(i);
    }
  }

 private:
  __attribute__((noinline, cold)) void wait() const {
    for (unsigned i = 0; (__atomic_load_n(&word_, __ATOMIC_ACQUIRE) & kAlone) != 0; ++i) {
      pause_or_yield(i);
    }
  }

  const RegionWord& word_;
  const RegionWord seen_;
};

// In everybody's region, for as long as this lives; not inside another of these, nor a lock.
class Alone {
 public:
  Alone(ThreadState& t, uptr a) : t_(t), section_(t) {
    t.alone_at = a & ~uptr{1};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    RegionWord& word = word_of(a);
    for (unsigned i = 0;; ++i) {
      RegionWord now = __atomic_load_n(&word, __ATOMIC_RELAXED);
      if ((now & kAlone) == 0 &&
          __atomic_compare_exchange_n(&word, &now, now | kAlone, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
        t.alone_at = a | 1;
        return;
      }
      pause_or_yield(i);
    }
  }
  ~Alone() {
    if (t_.alone_at != 0) leave_alone(t_);  // else a fault's handler has
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  ThreadState& t_;
  const Section section_;
};

}  // namespace steward::rt::owner
