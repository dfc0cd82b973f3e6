// Alone in a region that is everybody's, for a long walk: its cells are then changed by plain
// stores, as by an owner. A locked instruction for each would cost more than all else.
//
// Others do not ask before a step on a cell whether anybody is alone there: they look after it. A
// visit sees the region's word before it loads the cell and again after its exchange. Who comes to
// be alone does that by a locked instruction, so either it sees what the exchange put there, or the
// visit sees the word changed, and makes its step again on what is there then. That is right: the
// step that was lost was one of a thread still in it, so nobody can have come after it.
#pragma once

#include "runtime/shadow/owner.h"
#include "runtime/tool.h"

namespace steward::rt::owner {

// PACER's sweep and the lockset tool change cells of everybody's at their own times.
inline constexpr bool kMayBeAlone = !kSamples && !kLockset;

inline void pause_or_yield(unsigned round) {
  if (round < 64) {
    __builtin_ia32_pause();
  } else {
    sys::yield();
  }
}

class Visit {
 public:
  explicit Visit(uptr a) : word_(word_of(a)), seen_(__atomic_load_n(&word_, __ATOMIC_ACQUIRE)) {}
  // Is it everybody's, and nobody alone there?
  bool may() const { return (seen_ & (kEverybody | kAlone)) == kEverybody; }
  // After an exchange: has nobody been alone there meanwhile?
  bool was_undisturbed() const {
    return !kMayBeAlone || __atomic_load_n(&word_, __ATOMIC_ACQUIRE) == seen_;
  }
  // The same for a region that is everybody's, when nobody is alone there.
  static Visit when_free(uptr a) {
    for (unsigned i = 0;; ++i) {
      const Visit v(a);
      if (v.may()) return v;
      pause_or_yield(i);
    }
  }

 private:
  const RegionWord& word_;
  const RegionWord seen_;
};

// In everybody's region, for as long as this lives; not inside another of these, nor a lock.
class Alone {
 public:
  Alone(ThreadState& t, uptr a) : t_(t), a_(a), section_(t) {
    t.alone_at = a;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    RegionWord& word = word_of(a);
    for (unsigned i = 0;; ++i) {
      RegionWord now = __atomic_load_n(&word, __ATOMIC_RELAXED);
      if ((now & kAlone) == 0 &&
          __atomic_compare_exchange_n(&word, &now, now | kAlone, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
        return;
      }
      pause_or_yield(i);
    }
  }
  ~Alone() { leave_alone(t_, a_); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  ThreadState& t_;
  const uptr a_;
  const Section section_;
};

}  // namespace steward::rt::owner
