// What every hook is made of.
#pragma once

#include <type_traits>

#include "core/memory/prefetch.h"
#include "runtime/burst/burst.h"
#include "runtime/lockset/discipline.h"
#include "runtime/sample/period.h"
#include "runtime/shadow/alone.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/exclusive.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/same_epoch.h"
#include "runtime/shadow/short_list.h"
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

// The same where the words say more than that: data that several threads read, which is as hot as
// any, or bytes of one epoch that are not a half. Calls nothing, so that the hook saves no
// registers.
template <unsigned Size, bool Write>
__attribute__((always_inline)) inline bool same_epoch_bytes(uptr a, const ThreadState* t) {
  const unsigned from = a & 7;
  if (from + Size > 8 || t->epoch == 0) return false;
  const ShadowCell& cell = ShadowCell::of(a);
  const ShadowCell seen = cell.load();
  // What inline checks ask at last, too.
  if (crowd::kUsed && !Write && seen.read == __steward_crowd_word) return true;
  if (!Write && Word(seen.write).is_shared()) {
    return Readers::has(seen, t->epoch, (from < 4 ? 1u : 0u) | (from + Size > 4 ? 2u : 0u)) &&
           cell.is_still(seen) && (Size < 4 || from % 4 != 0 || !crowd::wants(*t));
  }
  if (Size == 8 || (Size == 4 && from % 4 == 0 && Word::are_halves(seen.write | seen.read))) {
    return false;
  }
  if (Word(seen.write).is_list()) {
    return ShortList::has(seen, t->epoch, Write, bytes_of(from, from + Size)) &&
           cell.is_still(seen);
  }
  return same_epoch_runs(*t, Write, cell, seen, from, from + Size);
}
// Bytes of one granule, which has a side: nothing below that knows of it.
template <unsigned Size>
__attribute__((always_inline)) inline bool is_beside(uptr a) {
  return Size <= 8 && (a & 7) + Size <= 8 &&
         Word(__atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_RELAXED)).is_side();
}
// Is that not all: an access to two granules, or bytes of one that has a side? Of two granules,
// across() finds out.
template <unsigned Size>
__attribute__((always_inline)) inline bool may_be_same_epoch(uptr a) {
  if (Size == 16 || (a & 7) + Size > 8) return (Size == 16 || kLockset) && a % Size != 0;
  return kLockset && is_beside<Size>(a);
}

// Out of line, so that the same-epoch checks stay small.
__attribute__((noinline, cold)) void first_access(AccessKind kind, uptr a, std::size_t size,
                                                  uptr pc);

// The cell of a granule after an access to bytes of it alone, where one look at it is enough; false
// if it is not.
template <bool Write>
__attribute__((always_inline)) inline bool next_bytes(const ThreadState& t, unsigned from,
                                                      unsigned to, const ShadowCell& seen,
                                                      ShadowCell& next) {
  const auto mask = bytes_of(from, to);
  if (exclusive_bytes(t, Write, from, to, seen, next) ||
      ShortList::grow(t, Write, mask, seen, next)) {
    return true;
  }
  ShadowCell after;
  // Crowds are not for lists; and halves that several read may become one's.
  if (crowd::is_in(Word(seen.read)) && Word(seen.write).is_plain()) return false;
  if (crowd::kUsed && !Write && ((from | to) & 3) == 0 &&
      Word::are_halves(seen.write | seen.read)) {
    return false;
  }
  if (!ShortList::step_few(t, Write, mask, seen, after)) return false;
  next = kSamples ? after.shown() : after;
  return true;
}
template <unsigned Size, bool Write>
__attribute__((always_inline)) inline bool next_words(const ThreadState& t, uptr a,
                                                      const ShadowCell& seen, ShadowCell& next) {
  const unsigned from = a & 7;
  if constexpr (Size == 8) return exclusive_granule(t, Write, seen, next);
  if (Size == 4 && from % 4 == 0 && exclusive_half(t, Write, from, seen, next)) return true;
  return next_bytes<Write>(t, from, from + Size, seen, next);
}

// A read of data that several threads read, by one of them: it has seen what was written.
template <unsigned Size>
__attribute__((always_inline)) inline bool read_again(const ThreadState& t, uptr a,
                                                      const ShadowCell& seen, ShadowCell& next) {
  if (Size < 4 || a % Size != 0 || !Word(seen.write).is_shared()) return false;
  const std::uint32_t halves = Size == 8 ? 3 : (a & 4) == 0 ? 1 : 2;
  return !crowd::wants(t) && Readers::read_again(seen, t.epoch, halves, next);
}

// A read of data that a crowd has read, which this thread has joined elsewhere in this epoch.
template <unsigned Size>
__attribute__((always_inline)) inline bool join_again(const ThreadState& t, uptr a,
                                                      const ShadowCell& seen, ShadowCell& next) {
  if (!crowd::kUsed || Size < 4 || a % Size != 0) return false;
  if (!Word::are_halves(seen.write | seen.read)) return false;
  const unsigned shift = Size == 8 ? 0 : (a & 4) * 8;
  const auto reads = static_cast<std::uint32_t>(seen.read >> shift);
  if (Size == 8 && (seen.read != Word::uniform(reads).bits() ||
                    !is_past(t, static_cast<Epoch30>(seen.write >> 32)))) {
    return false;
  }
  if (reads == 0 || !is_past(t, static_cast<Epoch30>(seen.write >> shift))) return false;
  const Epoch30 joined = crowd::joined_before(t.epoch, reads);
  if (joined == 0) return false;
  constexpr std::uint64_t kPart = Size == 8 ? ~std::uint64_t{0} : 0xffff'ffff;
  next = {seen.write,
          (seen.read & ~(kPart << shift)) | (Word::uniform(joined).bits() & (kPart << shift))};
  crowd::note_region(a);
  return true;
}

// In a section: a signal handler may have run since access() asked, and adopted another period.
inline bool still_samples([[maybe_unused]] const ThreadState& t) {
  return !kSamples || t.sampling;
}

// The rest of the rules. The cells are copied, for then they need not be in memory before.
__attribute__((always_inline)) inline bool advance(const ThreadState& t, bool write, uptr a,
                                                   unsigned size, const ShadowCell& seen,
                                                   ShadowCell& next) {
  ShadowCell after;
  if (!advance_in_place(t, write, a, size, seen, after)) return false;
  next = after;
  return true;
}

// The cell of a granule after an access to bytes of it that races with nothing, by all the rules
// that need nothing beside the cell.
template <unsigned Size, bool Write>
__attribute__((always_inline)) inline bool next_cell(const ThreadState& t, uptr a,
                                                     const ShadowCell& seen, ShadowCell& next) {
  return next_words<Size, Write>(t, a, seen, next) || advance(t, Write, a, Size, seen, next);
}

// The first access of an epoch to bytes of one granule, or to two of them, in the thread's own
// region, which nobody else changes. `note` tells the history first: whoever meets the epoch in the
// shadow must find its stack.
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool own(ThreadState& t, uptr a, Note note) {
  if ((Size >= 8 ? a & 7 : 0) != 0 || (a & 7) + Size > (Size == 16 ? 16 : 8)) return false;
  if (Size == 16 && (a & (owner::kRegion - 1)) > owner::kRegion - 16) return false;
  if (t.ignore_accesses != 0 || t.epoch == 0) return false;
  const owner::Section section(t);
  if (!owner::is(t, a) || !still_samples(t)) return false;
  ShadowCell* const cells = &ShadowCell::of(a);
  const ShadowCell seen = cells[0].load();
  ShadowCell next;
  if constexpr (Size == 16) {
    const ShadowCell second = cells[1].load();
    ShadowCell next_second;
    if (!next_cell<8, Write>(t, a, seen, next) ||
        !next_cell<8, Write>(t, a + 8, second, next_second)) {
      return false;
    }
    note();
    cells[1].store(second, next_second);
  } else {
    if (!next_cell<Size, Write>(t, a, seen, next)) return false;
    note();
  }
  cells[0].store(seen, next);
  return true;
}
// The same in everybody's region, for bytes of one granule.
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool everybodys(ThreadState& t, uptr a, Note note) {
  if ((Size == 8 ? a & 7 : 0) != 0 || (a & 7) + Size > 8 || t.ignore_accesses != 0 ||
      t.epoch == 0) {
    return false;
  }
  const owner::Visit visit(a);
  if (!visit.may()) return false;
  const owner::Section section(t);  // the program's signal handlers wait
  if (!still_samples(t)) return false;
  ShadowCell& cell = ShadowCell::of(a);
  const ShadowCell seen = cell.load();
  ShadowCell next;
  if (!Write && read_again<Size>(t, a, seen, next)) {
    note();
    return (next.write == seen.write ? cell.replace_reads(seen, next.read)
                                     : cell.replace(seen, next)) &&
           visit.was_undisturbed();
  }
  if (!next_words<Size, Write>(t, a, seen, next) &&
      (Write || !join_again<Size>(t, a, seen, next)) && !advance(t, Write, a, Size, seen, next)) {
    return false;
  }
  note();
  return cell.replace(seen, next) && visit.was_undisturbed();
}

// The first access of an epoch to bytes of two granules that are in one region: words at any byte,
// as programs that look for matches read them.
template <unsigned Size, bool Write, class Note>
__attribute__((always_inline)) inline bool across(ThreadState& t, uptr a, Note note) {
  const unsigned from = a & 7;
  if (from + Size <= 8 || (a & (owner::kRegion - 1)) > owner::kRegion - Size) return false;
  if (t.ignore_accesses != 0 || t.epoch == 0) return false;
  const owner::Section section(t);
  const bool is_own = owner::is(t, a);
  const owner::Visit visit(a);
  if (!still_samples(t)) return false;
  if (!is_own && !visit.may()) return same_epoch(t, Write, a, Size);
  ShadowCell* const cells = &ShadowCell::of(a);
  const ShadowCell seen[2] = {cells[0].load(), cells[1].load()};
  ShadowCell next[2];
  const uptr first = a & ~uptr{7};
  const auto step = [&](unsigned i, unsigned begin, unsigned end) __attribute__((always_inline)) {
    if (next_bytes<Write>(t, begin, end, seen[i], next[i])) return true;
    next[i] = seen[i];
    const uptr g = first + 8 * i;
    return same_epoch_in(t, Write, g, begin, end) ||
           advance(t, Write, g + begin, end - begin, seen[i], next[i]);
  };
  if (!step(0, from, 8) || !step(1, 0, from + Size - 8)) return false;
  if (next[0] == seen[0] && next[1] == seen[1]) {
    return is_own || (cells[0].is_still(seen[0]) && cells[1].is_still(seen[1]));
  }
  note();
  for (unsigned i = 0; i < 2; ++i) {
    if (is_own) {
      cells[i].store(seen[i], next[i]);
    } else if (next[i] != seen[i] && !cells[i].replace(seen[i], next[i])) {
      // What is done already, and stays, is found to be when it is all done again.
      (void)visit.was_undisturbed();
      return false;
    }
  }
  return is_own || visit.was_undisturbed();
}

// Everything else.
template <unsigned Size, bool Write>
__attribute__((noinline)) void slower_access(ThreadState* t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  if (__builtin_expect(t == no_thread, 0)) return first_access(kind, a, Size, pc);
  if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
  if constexpr (Size <= 8) {
    if ((a & 7) + Size <= 8) return check_word<Size, Write>(*t, a, pc);
  } else if ((a & 7) == 0) {  // two granules, either of which may be of this epoch
    for (const uptr g : {a, a + 8}) {
      if (same_epoch_granule<Write>(g, t) || same_epoch_bytes<8, Write>(g, t)) continue;
      check_word<8, Write>(*t, g, pc);
    }
    return;
  }
  check_access(*t, kind, a, Size, pc);
}

template <unsigned Size, bool Write>
__attribute__((noinline)) void slow_access(ThreadState* t, uptr a, uptr pc) {
  // The program's own is next.
  if constexpr (Write) {
    prefetch_line_to_write(reinterpret_cast<const void*>(a));
  } else {
    prefetch_line(reinterpret_cast<const void*>(a));
  }
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  // A thread that is not known yet has no epoch, and so have bytes that nobody has touched.
  if (may_be_same_epoch<Size>(a) && t->epoch != 0 && same_epoch(*t, Write, a, Size)) return;
  if constexpr (kLockset) discipline::check(*t, kind, a, Size, pc);
  const auto note = [&]() __attribute__((always_inline)) {
    t->history.note(*t, kind, a, Size, pc);
  };
  bool done = false;
  if (!is_beside<Size>(a)) {
    done = !owner::is_everybodys(a) && own<Size, Write>(*t, a, note);
    if constexpr (Size <= 8) done = done || everybodys<Size, Write>(*t, a, note);
  }
  if constexpr (Size > 1 && Size <= 8) done = done || across<Size, Write>(*t, a, note);
  if (done) {
    if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
    return;
  }
  slower_access<Size, Write>(t, a, pc);
  if constexpr (crowd::kUsed) crowd::collect_now_and_then(*t);
}

// A read of data that a crowd has read. Apart, so that the hooks end in calls and save nothing.
template <unsigned Size>
__attribute__((noinline)) void access_among_crowd(ThreadState* t, uptr a, uptr pc) {
  const unsigned from = a & 7;
  if (from + Size <= 8 && t->epoch != 0 &&
      in_crowd(*t, Word(ShadowCell::of(a).load().read), from, from + Size)) {
    return;
  }
  slow_access<Size, false>(t, a, pc);
}

// Bytes that have a side: fields of one granule that several threads use.
template <unsigned Size, bool Write>
__attribute__((noinline)) void access_beside(ThreadState* t, uptr a, uptr pc) {
  prefetch_line(reinterpret_cast<const void*>(a));  // the program's own is next
  check_beside(*t, Write ? AccessKind::Write : AccessKind::Read, a, Size, pc);
  if constexpr (crowd::kUsed) crowd::collect_now_and_then(*t);
}

// Any form of a cell.
template <unsigned Size, bool Write>
__attribute__((noinline)) void any_access(ThreadState* t, uptr a, uptr pc) {
  if constexpr (Size <= 8) {
    if (!kLockset && is_beside<Size>(a) && t->epoch != 0)
      return access_beside<Size, Write>(t, a, pc);
    if (same_epoch_bytes<Size, Write>(a, t)) return;
    if (!Write && crowd::is_in(Word(__atomic_load_n(&ShadowCell::of(a).read, __ATOMIC_RELAXED)))) {
      return access_among_crowd<Size>(t, a, pc);
    }
  }
  slow_access<Size, Write>(t, a, pc);
}

// The first access of an epoch to an aligned word or half whose cell is in halves, after all that
// is known of it: most of what is not of the same epoch. Apart from the other forms, of which there
// are so many. What is not done here has been noted at most.
template <unsigned Size, bool Write>
__attribute__((always_inline)) inline bool step_halves(ThreadState& t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  const owner::Section section(t);
  const owner::Visit visit(a);
  const bool is_own = visit.is_of(t);
  if ((!is_own && !visit.may()) || !still_samples(t)) return false;
  ShadowCell& cell = ShadowCell::of(a);
  const ShadowCell seen = cell.load();
  ShadowCell next;
  if constexpr (Size == 8) {
    if (!exclusive_granule(t, Write, seen, next)) return false;
  } else {
    if (!exclusive_half(t, Write, a & 4, seen, next)) return false;
  }
  t.history.note(t, kind, a, Size, pc);
  if (!is_own) return cell.replace(seen, next) && visit.was_undisturbed();
  cell.store_plain(seen, next);
  return true;
}
template <unsigned Size, bool Write>
__attribute__((noinline)) void access_halves(ThreadState* t, uptr a, uptr pc) {
  if constexpr (Write) {
    prefetch_line_to_write(reinterpret_cast<const void*>(a));
  } else {
    prefetch_line(reinterpret_cast<const void*>(a));
  }
  if (t->ignore_accesses != 0 || t->epoch == 0 || !step_halves<Size, Write>(*t, a, pc)) {
    return any_access<Size, Write>(t, a, pc);
  }
  if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
}

// A read of an aligned word or half that several threads have read: mostly by one of them, and
// again.
template <unsigned Size>
__attribute__((always_inline)) inline bool step_readers(ThreadState& t, uptr a, uptr pc) {
  const owner::Section section(t);
  const owner::Visit visit(a);
  if (!visit.may() || !still_samples(t)) return false;
  ShadowCell& cell = ShadowCell::of(a);
  const ShadowCell seen = cell.load();
  ShadowCell next;
  if (!read_again<Size>(t, a, seen, next)) return false;
  t.history.note(t, AccessKind::Read, a, Size, pc);
  return (next.write == seen.write ? cell.replace_reads(seen, next.read)
                                   : cell.replace(seen, next)) &&
         visit.was_undisturbed();
}
template <unsigned Size>
__attribute__((noinline)) void access_readers(ThreadState* t, uptr a, uptr pc) {
  if (same_epoch_bytes<Size, false>(a, t)) return;
  prefetch_line(reinterpret_cast<const void*>(a));
  if (t->ignore_accesses != 0 || t->epoch == 0 || !step_readers<Size>(*t, a, pc)) {
    return slow_access<Size, false>(t, a, pc);
  }
  if (__builtin_expect(t->pending_signals != 0, 0)) leave_runtime(*t);
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
  if constexpr (!kLockset && (Size == 4 || Size == 8)) {
    if ((a & (Size - 1)) == 0) {
      const ShadowCell seen = ShadowCell::of(a).load();
      if (crowd::kUsed && !Write && t->epoch != 0 && seen.read == __steward_crowd_word) return;
      if (Word::are_halves(seen.write | seen.read)) return access_halves<Size, Write>(t, a, pc);
      if (!Write && Word(seen.write).is_shared()) return access_readers<Size>(t, a, pc);
    }
  }
  any_access<Size, Write>(t, a, pc);
}

// Ranges of any size: memcpy and kin, read and write calls.
void access_range(AccessKind kind, uptr a, std::size_t size, uptr pc);

}  // namespace steward::rt
