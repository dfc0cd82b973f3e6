// The walks that a thread has made in its current epoch: to walk there again adds nothing. Whoever
// else has touched those bytes since is not ordered after this thread, which has released nothing,
// so it has raced with the first walk and been told so.
#pragma once

#include <atomic>

#include "event/race.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/shadow/word.h"

namespace steward::rt {

// How often memory has been given a new life behind the backs of the threads that use it: by a
// run-time system that orders them in ways the detector is not shown.
inline std::atomic<std::uint32_t> new_lives{0};

class RecentRuns {
 public:
  bool has(Epoch30 now, bool write, uptr begin, uptr end) const {
    if (epoch_ != now || lives_ != new_lives.load(std::memory_order_relaxed)) return false;
    for (const Run& r : runs_) {
      if (begin >= r.begin && end <= r.end && (r.write || !write)) return true;
    }
    return false;
  }
  void add(Epoch30 now, bool write, uptr begin, uptr end) {
    const std::uint32_t lives = new_lives.load(std::memory_order_relaxed);
    if (epoch_ != now || lives_ != lives) *this = {};
    epoch_ = now;
    lives_ = lives;
    for (Run& r : runs_) {  // stretches follow each other
      if (r.write == write && r.end == begin && r.begin != r.end) {
        r.end = end;
        return;
      }
    }
    runs_[next_++ % kCount] = {begin, end, write};
  }
  void clear() { epoch_ = 0; }  // this thread has freed memory, or got some

 private:
  static constexpr unsigned kCount = 16;
  struct Run {
    uptr begin, end;
    bool write;
  };
  Epoch30 epoch_ = 0;
  std::uint32_t lives_ = 0;
  unsigned next_ = 0;
  Run runs_[kCount] = {};
};

}  // namespace steward::rt
