// What one thread can know of all others' doings in the runtime, without a lock that they would
// have to take.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

// Waits until each other thread has been seen outside the runtime, and so has finished with all
// that it had found there before. The caller is outside too. False: one stayed inside for long.
bool wait_for_others(const ThreadState& me);

// The words that living threads' inline checks compare with (__steward_crowd_word), of which none
// is set meanwhile.
void each_crowd_word(void (*f)(std::uint64_t word));

}  // namespace steward::rt
