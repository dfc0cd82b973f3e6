// What the program's heap holds: every block has a note beside the heap, and a bit in the map of
// beginnings, so that a report can find the block that an address lies in.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

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
