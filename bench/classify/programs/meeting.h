// Threads that meet where no detector and no memory model sees it: what comes after is later in
// time, but nothing orders it. So every program here is always right on a machine that returns the
// latest value, and never by luck.
#pragma once

#include <sched.h>

class Meeting {
 public:
  explicit Meeting(int threads) : threads_(threads) {}

  // Waits until `threads` have come. Atomic operations would be seen in any function.
  __attribute__((noinline, no_sanitize("thread"))) void wait() {
    int mine = 1;
    asm volatile("lock xaddl %0, %1" : "+r"(mine), "+m"(arrived_) : : "memory");
    while (arrived_ / threads_ == mine / threads_) sched_yield();
  }

 private:
  const int threads_;
  volatile int arrived_ = 0;
};
