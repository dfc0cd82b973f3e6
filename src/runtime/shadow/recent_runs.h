// The walks that a thread has made in its current epoch: to walk there again adds nothing. Whoever
// else has touched those bytes since is not ordered after this thread, which has released nothing,
// so it has raced with the first walk and been told so.
#pragma once

#include "event/race.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/shadow/word.h"

namespace steward::rt {

class RecentRuns {
 public:
  bool has(Epoch30 now, bool write, uptr begin, uptr end) const {
    if (epoch_ != now) return false;
    for (const Run& r : runs_) {
      if (begin >= r.begin && end <= r.end && (r.write || !write)) return true;
    }
    return false;
  }
  void add(Epoch30 now, bool write, uptr begin, uptr end) {
    if (epoch_ != now) *this = {};
    epoch_ = now;
    for (Run& r : runs_) {  // stretches follow each other
      if (r.write == write && r.end == begin && r.begin != r.end) {
        r.end = end;
        return;
      }
    }
    runs_[next_++ % kCount] = {begin, end, write};
  }
  void clear() { epoch_ = 0; }  // memory has a new life, or its shadow has been thrown away

 private:
  static constexpr unsigned kCount = 16;
  struct Run {
    uptr begin, end;
    bool write;
  };
  Epoch30 epoch_ = 0;
  unsigned next_ = 0;
  Run runs_[kCount] = {};
};

}  // namespace steward::rt
