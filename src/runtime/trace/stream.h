// A thread's end of the channel: where its next entry goes. Part of the thread's state.
#pragma once

#include "runtime/platform/linux/sys.h"
#include "runtime/trace/channel.h"

namespace steward::rt::trace {

struct Stream {
  Entry* next = nullptr;  // >= end: the chunk is full, or there is none
  Entry* end = nullptr;
  // Accesses do not look at the clock before here: looking takes longer than the rest of an entry.
  Entry* untimed = nullptr;
  Lane* lane = nullptr;  // of the kernel thread: a switch of language threads passes it on
  Chunk* chunk = nullptr;
  std::uint64_t stamp = 0;         // of the last entry
  std::uint64_t instructions = 0;  // told of already
  uptr lowest = 0;                 // of the stack pointers at calls: how far the stack was used
};

}  // namespace steward::rt::trace
