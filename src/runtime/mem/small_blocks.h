// Small heap blocks, in sizes of 16 bytes to 128, without headers: a block of 32 bytes takes 32,
// not libc's 48, and lies in one cache line; so does its shadow, which is twice as large.
//
// Blocks of a size come from *runs* of a kilobyte, runs from the 16 KiB region that a thread takes
// at a time: what it allocates is in regions of its own (shadow/owner.h). Freed blocks wait in the
// freeing thread's cache; what is too much there goes back to its run, which is a bit a block, and
// so to the *heap* of the thread that the run is for. A run without a block in use serves any size.
// A heap whose thread has ended is the next new thread's.
#pragma once

#include <cstddef>

namespace steward::rt::small {

inline constexpr std::size_t kMost = 128;  // bytes of a block

void start();  // once; before it nothing comes from here
// At least that many bytes, aligned to 16. Null: libc has to give them.
void* allocate(std::size_t size);
bool owns(const void* p);
std::size_t size_of(const void* p);  // of a block, as large as it is
// Ends the process with a message where the pointer is no block's, or the block is free already.
void release(void* p);

void leave_thread();  // the calling thread ends: what it has is for others
void lock_for_fork();
void unlock_after_fork(bool child);

}  // namespace steward::rt::small
