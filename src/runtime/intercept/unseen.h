// Libraries that count for nothing (option `unseen`): what libc does for them is no access of the
// program's, and what their locks order is their own affair. They order the program's threads by
// other means, and say so by annotations: an OpenMP runtime and its tool.
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

struct UnseenCode {
  uptr begin, end;
};
inline constexpr unsigned kMostUnseen = 8;
inline UnseenCode unseen_code[kMostUnseen];
inline unsigned unseen_count = 0;  // none is ever taken away

// Is it in one of them that a function was called?
inline bool is_unseen(uptr pc) {
  const unsigned n = __atomic_load_n(&unseen_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; __builtin_expect(i < n, 0); ++i) {
    if (pc >= unseen_code[i].begin && pc < unseen_code[i].end) return true;
  }
  return false;
}

// Of those named by the option, which are loaded by now? Asked when a thread is made: a tool is
// loaded before the threads that it is told of.
void look_for_unseen();
void lock_unseen_for_fork();
void unlock_unseen_after_fork();

}  // namespace steward::rt
