// Which accesses are sampled: the process is in a period that is or is not, and each thread adopts
// it at its own next event. With FastTrack all of this is nothing.
#pragma once

#include "runtime/thread/active.h"
#include "runtime/thread/thread_state.h"
#include "runtime/tool.h"

namespace steward::rt {

// Odd: this period is sampled.
inline std::atomic<std::uint32_t> current_period{1};
// How often checks have been switched on. The shadow stack of a thread is kept by code with checks,
// so it is right only since they were last switched on, and the thread has looked at its stack.
inline std::atomic<std::uint32_t> activation{1};
// How often all that had been sampled became past, and no history was asked for any more.
inline std::atomic<std::uint32_t> oblivion{1};

void adopt(ThreadState& t);
// After a wait that nothing but time has ended: the thread may stay out of a sampled period, until
// its next wait is over or another period begins (sampler.h, takes_part_by_time).
void adopt_by_time(ThreadState& t);

// Before a thread waits, which may be for long: it samples no more, so that the end of the period
// does not have to wait for it, and adopts the current one at its next event.
inline constexpr std::uint32_t kNoPeriod = 0;
void rest(ThreadState& t);
inline void about_to_wait([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) rest(t);
}
// After the wait, where no operation follows that is an event. `by_time`: nothing else ended it.
inline void has_waited([[maybe_unused]] ThreadState& t, [[maybe_unused]] bool by_time = false) {
  if constexpr (kSamples) {
    if (by_time) return adopt_by_time(t);
    if (t.period == kNoPeriod) adopt(t);
  }
}

// Is an access of the thread sampled, here and now?
inline bool samples([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    if (__builtin_expect(t.period != current_period.load(std::memory_order_relaxed), 0)) adopt(t);
    return t.sampling;
  }
  return true;
}

// Is it over? Asked now and then.
void look_at_period(ThreadState& t);

// At a synchronisation operation: what work is measured in.
inline void count_work([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    constexpr std::uint64_t kLook = 1024;
    __atomic_store_n(&t.work, t.work + 1, __ATOMIC_RELAXED);
    if (__builtin_expect(t.work % kLook == 0, 0)) look_at_period(t);
  }
}
inline void note_work([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    count_work(t);
    samples(t);
  }
}

// What inline checks compare with. While not sampling: nothing is known (an empty write word), or
// this thread has looked before.
inline void show(const ThreadState& t) {
  if (!kSamples || t.sampling || t.epoch == 0) {
    show_word(t.word);
  } else {
    __steward_word = 0;
    __steward_read_word = mark_of(t.epoch);
  }
}

// Is its shadow stack right?
inline bool stack_is_known([[maybe_unused]] const ThreadState& t) {
  if constexpr (kSamples) {
    return !has_active_flags() ||
           (is_active() && t.stack_of == activation.load(std::memory_order_relaxed));
  }
  return true;
}

}  // namespace steward::rt
