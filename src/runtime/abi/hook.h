// What every hook is made of.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/shadow/readers.h"
#include "runtime/thread/registry.h"
#include "runtime/thread/thread_state.h"

// Seen by the program; everything else in the library is hidden.
#define STEWARD_HOOK extern "C" __attribute__((visibility("default"), used))

namespace steward::rt {

#define STEWARD_CALLER reinterpret_cast<::steward::rt::uptr>(__builtin_return_address(0))

inline uptr address(const volatile void* p) { return reinterpret_cast<uptr>(p); }

// The same-epoch check: this thread, since its last release, has written these bytes, or this is a
// read and it has read them. An aligned word is one comparison, two for a read; a byte is covered if
// its half is.
template <class Part, bool Write>
__attribute__((always_inline)) inline bool same_epoch_part(uptr shadow, const ThreadState* t) {
  const auto* part = reinterpret_cast<const Part*>(shadow);
  const auto epoch = static_cast<Part>(t->word);
  if (__atomic_load_n(part, __ATOMIC_RELAXED) == epoch) return true;
  constexpr unsigned kRead = 8 / sizeof(Part);  // the read word follows the write word
  return !Write && __atomic_load_n(part + kRead, __ATOMIC_RELAXED) == epoch;
}
template <bool Write>
__attribute__((always_inline)) inline bool same_epoch_half(uptr a, const ThreadState* t) {
  return same_epoch_part<std::uint32_t, Write>(shadow_of(a) + (a & 4), t);
}
template <bool Write>
__attribute__((always_inline)) inline bool same_epoch_granule(uptr a, const ThreadState* t) {
  return same_epoch_part<std::uint64_t, Write>(shadow_of(a), t);
}

// Out of line, so that the same-epoch checks stay small.
__attribute__((noinline, cold)) void first_access(AccessKind kind, uptr a, std::size_t size, uptr pc);

template <unsigned Size, bool Write>
__attribute__((noinline)) void slow_access(ThreadState* t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  if constexpr (!Write && Size <= 8) {  // data that several threads read: as hot as any
    if ((a & 7) + Size <= 8) {
      const ShadowCell cell = ShadowCell::of(a).load();
      const std::uint32_t halves = ((a & 4) == 0 ? 1u : 0u) | ((a & 7) + Size > 4 ? 2u : 0u);
      if (Word(cell.write).is_shared() && Readers::has(cell, t->epoch, halves)) return;
    }
  }
  if (__builtin_expect(t == no_thread, 0)) return first_access(kind, a, Size, pc);
  if constexpr (Size <= 8) {
    if ((a & 7) + Size <= 8) return check_word<Size, Write>(*t, a, pc);
  } else if ((a & 7) == 0) {  // vector code: two granules, either of which may be of this epoch
    for (const uptr g : {a, a + 8}) {
      if (!same_epoch_granule<Write>(g, t)) slow_access<8, Write>(t, g, pc);
    }
    return;
  }
  check_access(*t, kind, a, Size, pc);
}

template <unsigned Size, bool Write>
__attribute__((always_inline)) inline void access(uptr a, uptr pc) {
  ThreadState* t = current;
  if constexpr (Size == 16) {
    if ((a & 7) == 0) {
      if (same_epoch_granule<Write>(a, t) && same_epoch_granule<Write>(a + 8, t)) return;
    } else if ((a & 3) == 0) {
      if (same_epoch_half<Write>(a, t) && same_epoch_granule<Write>(a + 4, t) &&
          same_epoch_half<Write>(a + 12, t)) {
        return;
      }
    }
  } else if constexpr (Size == 8) {
    if ((a & 7) == 0) {
      if (same_epoch_granule<Write>(a, t)) return;
    } else if ((a & 3) == 0) {
      if (same_epoch_half<Write>(a, t) && same_epoch_half<Write>(a + 4, t)) return;
    }
  } else {
    if ((a & 3) + Size <= 4 && same_epoch_half<Write>(a, t)) return;
  }
  slow_access<Size, Write>(t, a, pc);
}

// Ranges of any size: memcpy and kin, read and write calls.
void access_range(AccessKind kind, uptr a, std::size_t size, uptr pc);

}  // namespace steward::rt
