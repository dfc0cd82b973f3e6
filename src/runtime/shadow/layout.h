// Where an address's shadow is: 16 bytes for each 8 of the program, at (2 * address) ^ flip, in the
// 47 bits of user space.
//
// The bits to flip are chosen at start from where this process really is, so that any setting of
// ASLR, PIE or not, works. What is covered: the low terabyte (non-PIE and its heap), the executable
// and its heap, the libraries and what is mapped beside them, and the stack.
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

inline constexpr uptr kAddressSpace = uptr{1} << 47;

struct Layout {
  uptr flip;               // whole terabytes
  unsigned char* regions;  // one byte a 64 KiB of the program: what may granules in it have?
  unsigned char* heap;     // one byte a 64 KiB: what is known of heap blocks in it (kHeap...)
  std::uint32_t* owners;   // one word a 16 KiB: who may change the cells (shadow/owner.h)
};
extern Layout layout;
// Bits of `regions`.
inline constexpr unsigned char kHasSides = 1;
inline constexpr unsigned char kHasCrowds = 2;  // once and for all (shadow/crowd.h)
// Bits of `heap`. The last two are for one tool each: lockset, record.
inline constexpr unsigned char kHeapBegins = 1;  // a block has begun there
inline constexpr unsigned char kHeapInside = 2;  // one that began before goes on
inline constexpr unsigned char kHeapFreed = 4;   // one has been freed
// layout.flip under a name for code that checks inline (src/pass).
extern "C" uptr __steward_flip;

inline uptr shadow_of(uptr a) {
  return (a << 1 & (kAddressSpace - 16)) ^ layout.flip;
}

// What is known of the heap block that begins at `a`, 16-byte aligned: eight bytes beside the heap.
// Null where no heap can be.
std::uint64_t* heap_note_of(uptr a);

// Once, before anything else. `library`: any address in the area where libraries are mapped.
void map_shadow(const void* library);
// The program mapped memory somewhere: make sure its shadow exists. Dies if it cannot.
void cover(uptr begin, std::size_t bytes);

}  // namespace steward::rt
