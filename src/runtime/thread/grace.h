// What one thread can know of all others' doings in the runtime, without a lock that they would
// have to take.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

// A time in which each thread has been seen outside the runtime: then all have finished with what
// they had found there before it began. One at a time; nobody waits for it, it is asked.
class Grace {
 public:
  bool begin();                         // false: that cannot be known here
  bool is_over(const ThreadState& me);  // `me` holds nothing of the runtime's

 private:
  std::uint32_t number_ = 0;
  bool unknown_ = false, gone_ = false;  // those that share a state
};

// The words that living threads' inline checks compare with, for crowds.
void each_crowd_word(void (*f)(std::uint64_t word));

}  // namespace steward::rt
