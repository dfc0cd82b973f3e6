// The lock of one side's list, one byte in the line of the host's cache that its holder needs
// anyway: threads that use different sides do not meet, as they do at a stripe's lock.
//
// So many cannot all be taken before a fork. One that another thread held then stays taken in the
// child, where that thread is not; so a lock says of which process its holder is.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/mem/lock.h"

namespace steward::rt {

class SideLock {
 public:
  void lock() {
    const std::uint8_t mine = process;
    if (__builtin_expect(holder_.exchange(mine, std::memory_order_acquire) == mine, 0)) wait(mine);
  }
  void unlock() { holder_.store(kNobody, std::memory_order_release); }

  static void in_child() { process = process == kLast ? kNobody + 1 : process + 1; }

 private:
  __attribute__((noinline, cold)) void wait(std::uint8_t mine) {
    do {
      for (unsigned i = 0; holder_.load(std::memory_order_relaxed) == mine; ++i) pause_or_yield(i);
    } while (holder_.exchange(mine, std::memory_order_acquire) == mine);
  }

  static constexpr std::uint8_t kNobody = 0, kLast = 255;
  static inline std::uint8_t process = 1;  // changed where there is one thread
  std::atomic<std::uint8_t> holder_{kNobody};
};

}  // namespace steward::rt
