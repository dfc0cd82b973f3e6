// What every hook is made of.
#pragma once

#include <type_traits>

#include "runtime/burst/burst.h"
#include "runtime/lockset/discipline.h"
#include "runtime/sample/period.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"
#include "runtime/shadow/same_epoch.h"
#include "runtime/thread/registry.h"
#include "runtime/thread/runtime_scope.h"
#include "runtime/thread/thread_state.h"
#include "runtime/trace/tool.h"

// Seen by the program; everything else in the library is hidden.
#define STEWARD_HOOK extern "C" __attribute__((visibility("default"), used))

namespace steward::rt {

#define STEWARD_CALLER reinterpret_cast<::steward::rt::uptr>(__builtin_return_address(0))

inline uptr address(const volatile void* p) {
  return reinterpret_cast<uptr>(p);
}

// The same-epoch check: this thread, since its last release, has written these bytes, or this is a
// read and it has read them. An aligned word is one comparison, two for a read; a byte is covered
// if its half is.
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
__attribute__((noinline, cold)) void first_access(AccessKind kind, uptr a, std::size_t size,
                                                  uptr pc);

// A cell's words, or halves of them, after an access of their owner's alone. With PACER bytes that
// were read have a write word that is not empty; it comes last, for it is what others look at
// first.
template <bool Write, class Part>
__attribute__((always_inline)) inline void put_own(Part* write, Part* read, Part w, Part r,
                                                   Part mine) {
  __atomic_store_n(Write ? write : read, mine, __ATOMIC_RELAXED);
  if (Write && r != 0) __atomic_store_n(read, 0, __ATOMIC_RELAXED);
  if (kSamples && !Write && w == 0) {
    __atomic_store_n(write, static_cast<Part>(Word::uniform(kNoWrite).bits()), __ATOMIC_RELEASE);
  }
}

// The first access of an epoch to aligned words in the thread's own region that no other thread has
// touched: nothing to compare with, and nobody to exclude. `note` tells the history first: whoever
// meets the epoch in the shadow must find its stack.
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool own_access(ThreadState& t, uptr a, Note note) {
  constexpr uptr kAlign = Size == 4 ? 4 : 8;
  if ((a & (kAlign - 1)) != 0 || t.ignore_accesses != 0) return false;
  if (Size == 16 && (a & (owner::kRegion - 1)) > owner::kRegion - 16) return false;
  const owner::Section section(t);
  if (!owner::is(t, a)) return false;
  ShadowCell* const cells = &ShadowCell::of(a);
  const ShadowCell seen = cells[0].load();
  if constexpr (Size == 4) {
    if (!Word::are_halves(seen.write | seen.read)) return false;
    const unsigned shift = (a & 4) * 8;
    const auto w = static_cast<std::uint32_t>(seen.write >> shift);
    const auto r = static_cast<std::uint32_t>(seen.read >> shift);
    if (!only_wrote(t, w) || !only_read(t, r) || !note()) return false;
    auto* part = reinterpret_cast<std::uint32_t*>(cells) + (a >> 2 & 1);
    put_own<Write>(part, part + 2, w, r, static_cast<std::uint32_t>(t.word));
  } else {
    if (!only_wrote(t, seen.write) || !only_read(t, seen.read)) return false;
    ShadowCell second{};
    if constexpr (Size == 16) {
      second = cells[1].load();
      if (!only_wrote(t, second.write) || !only_read(t, second.read)) return false;
    }
    if (!note()) return false;
    put_own<Write>(&cells[0].write, &cells[0].read, seen.write, seen.read, t.word);
    if (Size == 16) {
      put_own<Write>(&cells[1].write, &cells[1].read, second.write, second.read, t.word);
    }
  }
  return true;
}

// The same for one or two bytes. A walk over bytes makes the run of this epoch longer, or begins it
// where one epoch has the whole granule.
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool own_bytes(ThreadState& t, uptr a, Note note) {
  const unsigned from = a & 7, to = from + Size;
  if (to > 8 || t.ignore_accesses != 0) return false;
  const owner::Section section(t);
  if (!owner::is(t, a)) return false;
  ShadowCell& cell = ShadowCell::of(a);
  const ShadowCell seen = cell.load();
  const Word w(seen.write);
  const Word r(kSamples && seen.read == mark_of(t.epoch) ? 0 : seen.read);
  const Word x = Write ? w : r;
  if (!w.is_plain()) return false;
  const Epoch30 now = t.epoch;
  if (!only_wrote(t, w.low()) || !only_wrote(t, w.high()) || !only_of(now, r.low()) ||
      !only_of(now, r.high())) {
    return false;
  }
  const bool none = kSamples && !Write && w.bits() == 0;
  if (kSamples && !Write && !none && (w.low() == 0 || w.high() == 0)) return false;
  const bool goes_on = x.low() == now && x.cut() == from;
  if (!goes_on && !(from == 0 && x.low() == x.high())) {
    return x.low() == now && to <= x.cut();  // in the run already
  }
  if (!note()) return false;
  const Word grown = to == 8 ? Word::uniform(now) : Word::runs(to, now, x.high());
  __atomic_store_n(Write ? &cell.write : &cell.read, grown.bits(), __ATOMIC_RELAXED);
  if (none) __atomic_store_n(&cell.write, Word::uniform(kNoWrite).bits(), __ATOMIC_RELEASE);
  // This thread's reads from before a write of its own can go, now that it is one of all bytes.
  if (Write && to == 8 && seen.read != 0) __atomic_store_n(&cell.read, 0, __ATOMIC_RELAXED);
  return true;
}
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool own(ThreadState& t, uptr a, Note note) {
  if constexpr (Size < 4) {
    return own_bytes<Size, Write>(t, a, note);
  } else {
    return own_access<Size, Write>(t, a, note);
  }
}

// Everything else.
template <unsigned Size, bool Write>
__attribute__((noinline)) void slower_access(ThreadState* t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  if (__builtin_expect(t == no_thread, 0)) return first_access(kind, a, Size, pc);
  if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
  if (owner::is(*t, a)) {
    const RuntimeScope scope(*t);
    const bool done = own<Size, Write>(*t, a, [&] {
      t->history.note(*t, kind, a, Size, pc);
      return true;
    });
    if (done) return;
  }
  if constexpr (Size <= 8) {
    if ((a & 7) + Size <= 8) return check_word<Size, Write>(*t, a, pc);
  } else if ((a & 7) == 0) {  // two granules, either of which may be of this epoch
    for (const uptr g : {a, a + 8}) {
      if (!same_epoch_granule<Write>(g, t)) check_word<8, Write>(*t, g, pc);
    }
    return;
  }
  check_access(*t, kind, a, Size, pc);
}

// Calls nothing on its way, so it saves no registers.
template <unsigned Size, bool Write>
__attribute__((noinline)) void slow_access(ThreadState* t, uptr a, uptr pc) {
  __builtin_prefetch(reinterpret_cast<const void*>(a), Write ? 1 : 0);  // the program's own is next
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  if constexpr (!Write && Size <= 8) {  // data that several threads read: as hot as any
    const ShadowCell cell = ShadowCell::of(a).load();
    if (Word(cell.write).is_shared() && (a & 7) + Size <= 8) {
      const std::uint32_t halves = ((a & 4) == 0 ? 1u : 0u) | ((a & 7) + Size > 4 ? 2u : 0u);
      if (Readers::has(cell, t->epoch, halves)) return;
    }
  }
  if (Size > 1 && (a & (Size - 1)) != 0 && same_epoch(*t, Write, a, Size)) return;
  if constexpr (kLockset) {
    if (Size < 4 && same_epoch(*t, Write, a, Size)) return;
    discipline::check(*t, kind, a, Size, pc);
  }
  const bool done =
      own<Size, Write>(*t, a, [&] { return t->history.note_here(*t, kind, a, Size, pc); });
  if (done) {
    if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
    return;
  }
  slower_access<Size, Write>(t, a, pc);
}

template <unsigned Size, bool Write>
__attribute__((always_inline)) inline void access(uptr a, uptr pc) {
  ThreadState* t = current;
  if constexpr (kTraces) return trace::access<Size, Write>(t, a, pc);
  if (!in_burst(*t)) return;
  if (kSamples && __builtin_expect(!samples(*t), 0)) {
    return check_unsampled(*t, Write ? AccessKind::Write : AccessKind::Read, a, Size, pc);
  }
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
