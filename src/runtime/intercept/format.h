// What printf and scanf touch through their arguments, found by reading the format as they do.
// Directives with numbered arguments (%1$s) are not followed: their order is not the arguments'.
#pragma once

#include <stdarg.h>

#include "runtime/thread/thread_state.h"

namespace steward::rt {

// Strings that are read, and counts that %n writes.
void printf_arguments(ThreadState& t, const char* format, va_list arguments, uptr pc);
// The first `assigned` targets, after the call.
void scanf_arguments(ThreadState& t, const char* format, int assigned, va_list arguments, uptr pc);

}  // namespace steward::rt
