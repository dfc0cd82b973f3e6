// Stacks that are kept: of allocations, thread creations, locks. Each distinct one once.
#pragma once

#include "runtime/history/history.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt {

StackId keep_stack(const Stack& s);
// keep_stack(stack_of(t, pc)), quicker for stacks that the thread has kept lately.
StackId keep_here(ThreadState& t, uptr pc);
Stack kept_stack(StackId id);

void lock_depot_for_fork();
void unlock_depot_after_fork();

// The calling thread's stack, with `pc` innermost.
Stack stack_of(const ThreadState& t, uptr pc);

// The same by unwinding, which shows callers in code that is not instrumented (std::thread's) as
// well. Slow: for events that are rare. Falls back to the above.
Stack unwound_stack(const ThreadState& t, uptr pc);

}  // namespace steward::rt
