// Handlers of the program's that run now, for jumps that leave them.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

// A jump to a frame with this stack pointer: handlers that it leaves are over.
void leave_handlers(ThreadState& t, uptr sp);

}  // namespace steward::rt
