// Threads take turns by a counter that no detector sees, so that each run is the same. (clang
// announces atomic operations whatever a function asks for.)
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

static volatile int turn;
__attribute__((no_sanitize("thread"), noinline)) static void wait_for(int n) {
  while (turn < n) std::this_thread::yield();
}
__attribute__((no_sanitize("thread"), noinline)) static void next_turn() {
  __asm__ volatile("lock incl %0" : "+m"(turn) : : "memory");
}
