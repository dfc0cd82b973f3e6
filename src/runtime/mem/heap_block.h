// What the program's heap holds: every block has a note beside the heap, and a bit in the map of
// beginnings, so that a report can find the block that an address lies in.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

struct HeapNote {
  std::uint64_t is_live : 1;
  std::uint64_t slack : 12;      // libc's size less the program's
  std::uint64_t thread : 21;     // that allocated it
  std::uint64_t allocated : 29;  // StackId
  std::uint64_t is_escaped : 1;  // the lockset tool's: no longer that thread's own
  static constexpr std::uint32_t kThreads = (1u << 21) - 1;
};
static_assert(sizeof(HeapNote) == sizeof(std::uint64_t));

struct HeapBlock {
  uptr begin;
  std::size_t size;
  std::uint32_t thread;
  StackId allocated;
};

// What malloc, operator new and kin come down to. Null with errno when there is no memory.
void* allocate(std::size_t size, std::size_t alignment, uptr pc);
void free_block(void* p, uptr pc);

bool find_block(uptr a, HeapBlock& out);
bool is_global(uptr a);  // in the data of the executable or a library

}  // namespace steward::rt
