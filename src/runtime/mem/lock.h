// Short critical sections inside the runtime. A holder never blocks on anything else, and signal
// handlers of the program do not run while one is held (thread/runtime_scope.h).
#pragma once

#include <atomic>

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

inline void pause_or_yield(unsigned round) {
  if (round < 64) {
    __builtin_ia32_pause();
  } else {
    sys::yield();
  }
}

class SpinLock {
 public:
  constexpr SpinLock() = default;
  void lock() {
    if (!taken_.exchange(true, std::memory_order_acquire)) return;
    lock_slow();
  }
  bool try_lock() { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  __attribute__((noinline)) void lock_slow() {
    for (unsigned i = 0;; ++i) {
      if (!taken_.load(std::memory_order_relaxed) &&
          !taken_.exchange(true, std::memory_order_acquire)) {
        return;
      }
      pause_or_yield(i);
    }
  }
  std::atomic<bool> taken_{false};
};

template <class Lock>
class Locked {
 public:
  explicit Locked(Lock& l) : lock_(l) { lock_.lock(); }
  ~Locked() { lock_.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Lock& lock_;
};

}  // namespace steward::rt
