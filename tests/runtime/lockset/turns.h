// Threads take turns by a counter that no detector sees, so that each run is the same.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

static volatile int turn;
__attribute__((no_sanitize("thread"), noinline)) static void wait_for(int n) {
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) < n) std::this_thread::yield();
}
__attribute__((no_sanitize("thread"), noinline)) static void next_turn() {
  __atomic_fetch_add(&turn, 1, __ATOMIC_RELEASE);
}
