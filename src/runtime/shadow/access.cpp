// The detector's step on live memory: core's FastTrack (core/fasttrack/access.h) on the runs of a
// granule's two words. Check and update are one step, either the region's owner's alone or a
// compare-and-exchange (shadow/owner.h), so no race is lost to a race in the detector.
#include <algorithm>

#include "runtime/lockset/discipline.h"
#include "runtime/record/report.h"
#include "runtime/sample/period.h"
#include "runtime/shadow/alike.h"
#include "runtime/shadow/beside.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/replaced.h"
#include "runtime/shadow/same_epoch.h"
#include "runtime/shadow/step.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {
namespace {

// What the body comes to after all that is known (its rules [read exclusive], [write exclusive]).
__attribute__((always_inline)) inline bool exclusive(const View& v, bool write, Epoch30& w,
                                                     Epoch30& r) {
  if (kSamples && !v.t.sampling) return false;
  if (!v.covers(unpack(w)) || !v.covers(unpack(r))) return false;
  const Epoch30 now = pack(v.now);
  if (write) {
    w = now;
    r = 0;
  } else if (w != now) {
    r = now;
  }
  return true;
}

// The readers in crowds, less those whom a read of these halves comes after; false: too many.
bool few_of(const View& v, const Word& reads, std::uint32_t halves, Readers& out) {
  unsigned count = 0;
  bool fit = true;
  crowd::each_read(reads, [&](Epoch30 e, unsigned mask) {
    std::uint32_t left = ((mask & 0x0f) != 0 ? 1u : 0u) | ((mask & 0xf0) != 0 ? 2u : 0u);
    if (v.covers(unpack(e))) left &= ~halves;
    if (left == 0) return;
    for (unsigned i = 0; i < count; ++i) {
      if (out.entries[i].epoch != e) continue;
      out.entries[i].halves |= left;
      return;
    }
    fit = fit && count < Readers::kCount;
    if (fit) out.entries[count++] = {e, left};
  });
  return fit;
}

// The readers and now this one, of these halves, as crowds.
bool gather(const View& v, const Readers& readers, std::uint32_t halves, ShadowCell& next) {
  if constexpr (!crowd::kUsed) return false;
  Epoch30 reads[2];
  for (unsigned half = 0; half < 2; ++half) {
    const bool here = (halves >> half & 1) != 0;
    bool now = here;
    Epoch30 epochs[Readers::kCount + 1];
    unsigned count = 0;
    for (const Readers::Entry& e : readers.entries) {
      if (e.epoch == 0 || (e.halves >> half & 1) == 0) continue;
      if (e.epoch == pack(v.now)) {
        now = true;
      } else if (!here || !v.covers(unpack(e.epoch))) {
        epochs[count++] = e.epoch;
      }
    }
    if (now) epochs[count++] = pack(v.now);
    if (!crowd::make(epochs, count, reads[half])) return false;
  }
  next = {Word::uniform(readers.write).bits(), Word::halves(reads[0], reads[1]).bits()};
  return true;
}

// Two threads' reads of a granule that one epoch wrote.
bool share(const View& v, const ShadowCell& seen, std::uint32_t halves, uptr g, ShadowCell& next,
           LiveConflicts& found) {
  const Word w(seen.write), r(seen.read);
  if (w.low() != w.high() || !w.in_halves() || !r.in_halves()) return false;
  Readers readers;
  readers.write = w.low();
  if (crowd::is_in(r)) {
    if (!few_of(v, r, halves, readers)) return false;
  } else if (r.low() == r.high()) {
    readers.entries[0] = {r.low(), r.low() == 0 ? 0u : 3u};
  } else {
    readers.entries[0] = {r.low(), r.low() == 0 ? 0u : 1u};
    readers.entries[1] = {r.high(), r.high() == 0 ? 0u : 2u};
  }
  if (!readers.add(v, pack(v.now), halves)) return false;
  if (!v.covers(unpack(readers.write))) {
    found.add(in_halves(AccessKind::Write, readers.write, g, halves));
  }
  next = readers.encode();
  return true;
}

bool advance_shared(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                    uptr g, ShadowCell& next, LiveConflicts& found) {
  if (((from | to) & 3) != 0) return false;
  const std::uint32_t halves = (from == 0 ? 1u : 0u) | (to == 8 ? 2u : 0u);
  Readers readers = Readers::decode(seen);
  auto check = [&](AccessKind kind, Epoch30 e, std::uint32_t where) {
    if (!v.covers(unpack(e))) found.add(in_halves(kind, e, g, where));
  };
  if (write) {
    if (halves != 3) return false;
    check(AccessKind::Write, readers.write, 3);
    for (const auto& e : readers.entries) check(AccessKind::Read, e.epoch, e.halves);
    next = {Word::uniform(pack(v.now)).bits(), 0};
    return true;
  }
  crowd::note_read_beside(v.t);
  if (!crowd::wants(v.t) || !gather(v, readers, halves, next)) {
    const Readers before = readers;
    if (readers.add(v, pack(v.now), halves)) {
      next = readers.encode();
    } else if (!gather(v, before, halves, next)) {
      return false;
    }
  }
  check(AccessKind::Write, readers.write, halves);
  return true;
}

// The new words for an access to [from, to), or false if they cannot hold it.
bool advance_words(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                   uptr g, ShadowCell& next, LiveConflicts& found) {
  const Word w(seen.write), r(seen.read);
  if (w.is_shared()) return advance_shared(v, write, seen, from, to, g, next, found);
  if (w.in_halves() && r.in_halves() && ((from | to) & 3) == 0) {  // the usual: halves or all
    Epoch30 w0 = w.low(), r0 = r.low(), w1 = w.high(), r1 = r.high();
    bool plain = true;
    if (from == 0 && to == 8 && w0 == w1 && r0 == r1) {
      if (step(v, write, w0, r0, g, 8, found)) {
        next = {Word::uniform(w0).bits(), Word::uniform(r0).bits()};
        return true;
      }
      plain = false;
    } else {
      if (from == 0) plain = step(v, write, w0, r0, g, 4, found);
      if (plain && to == 8) plain = step(v, write, w1, r1, g + 4, 4, found);
      if (plain) {
        next = {Word::halves(w0, w1).bits(), Word::halves(r0, r1).bits()};
        return true;
      }
    }
    found.count = 0;
    return share(v, seen, (from == 0 ? 1u : 0u) | (to == 8 ? 2u : 0u), g, next, found);
  }
  return exclusive_bytes(v.t, write, from, to, seen, next);  // a list finds other runs
}

bool advance(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to, uptr g,
             ShadowCell& next, LiveConflicts& found) {
  return (!Word(seen.write).is_list() && advance_words(v, write, seen, from, to, g, next, found)) ||
         advance_list(v, write, seen, from, to, g, next, found);
}

// To words again, if they can hold it.
void give_back_side(uptr g) {
  const LockedSide side(g, false);
}

// Of a range, which the history has already. False: it takes all the rules.
__attribute__((noinline)) bool check_granule_beside(ThreadState& t, bool write, uptr g,
                                                    AccessList::Mask mask) {
  const ShadowCell& cell = ShadowCell::of(g);
  const auto noted = [] {};
  const Beside step =
      write ? step_beside<true>(t, cell, mask, noted) : step_beside<false>(t, cell, mask, noted);
  if (step == Beside::Small) give_back_side(g);
  return step != Beside::Many && step != Beside::Unsolved;
}

void check_granule(ThreadState& t, const View& v, AccessKind kind, uptr g, unsigned from,
                   unsigned to, LiveConflicts& found) {
  if (Word(__atomic_load_n(&ShadowCell::of(g).write, __ATOMIC_RELAXED)).is_side()) {
    if (check_granule_beside(t, is_write(kind), g, bytes_of(from, to))) return;
  } else {
    LiveConflicts here;
    const bool done = change(t, g, here, [&](const ShadowCell& seen, ShadowCell& next) {
      return advance(v, is_write(kind), seen, from, to, g, next, here);
    });
    for (unsigned i = 0; i < here.count; ++i) found.add(here.list[i]);
    if (done) return;
  }
  LockedSide side(g);
  check_side_run(v, kind, side, g, from, to, found);
}

// Whole granules whose accesses all come before this one: the usual case of a copy. Here nobody
// else changes them. Returns where it stopped.
uptr take_alone(const ThreadState& t, bool write, uptr g, uptr end) {
  // Neighbours are often alike, and then so is what they become.
  ShadowCell seen{}, next{};
  for (bool known = false; g < end; g += 8) {
    if (known) {
      g = replace_alike(g, end, seen, next);
      if (g >= end) break;
    }
    ShadowCell& cell = ShadowCell::of(g);
    seen = load_whole(cell);
    known = replaced_granule(t, write, seen, next);
    if (!known) return g;
    store_whole(cell, next);
  }
  return g;
}

// The same in the thread's own regions.
uptr sweep_own(ThreadState& t, bool write, uptr g, uptr end) {
  while (g < end && owner::claim(t, g)) {
    const owner::Section section(t);
    if (!owner::is(t, g)) continue;
    const uptr last = std::min(end, (g | (owner::kRegion - 1)) + 1);
    g = take_alone(t, write, g, last);
    if (g < last) return g;
  }
  return g;
}

// The same in one of everybody's.
uptr sweep_everybodys(ThreadState& t, bool write, uptr g, uptr end) {
  constexpr uptr kLong = 64;
  if (owner::kMayBeAlone && owner::may_be_alone && end - g >= kLong) {
    ShadowCell next;
    if (!replaced_granule(t, write, ShadowCell::of(g).load(), next)) return g;
    const owner::Alone alone(t, g);
    return take_alone(t, write, g, end);
  }
  for (; g < end; g += 8) {
    const owner::Visit visit(g);
    ShadowCell& cell = ShadowCell::of(g);
    const ShadowCell seen = cell.load();
    ShadowCell next;
    if (!visit.may() || !replaced_granule(t, write, seen, next) || !cell.replace(seen, next) ||
        !visit.was_undisturbed()) {
      return g;
    }
  }
  return g;
}

// Did all that is known of a granule come before?
bool all_past(const View& v, const ShadowCell& seen, uptr g) {
  const auto before = [&](const AccessList::Entry& e) { return v.covers(unpack(e.epoch)); };
  const Word w(seen.write), r(seen.read);
  if (w.is_plain()) {
    return v.covers(unpack(w.low())) && v.covers(unpack(w.high())) && v.covers(unpack(r.low())) &&
           v.covers(unpack(r.high()));
  }
  if (w.is_side()) {
    LockedSide side(g, false);
    return side && std::all_of(side->accesses.begin(), side->accesses.end(), before);
  }
  const ShortList list = ShortList::of(seen);
  return std::all_of(list.begin(), list.end(), before);
}

}  // namespace

void check_side(const ThreadState& t, AccessKind kind, LockedSide& side, uptr a, unsigned size,
                LiveConflicts& found) {
  const unsigned from = a & 7;
  check_side_run(View{t, t.now()}, kind, side, a & ~uptr{7}, from, from + size, found);
}

bool advance_in_place(const ThreadState& t, bool write, uptr a, unsigned size, ShadowCell seen,
                      ShadowCell& next) {
  const unsigned from = a & 7;
  const uptr g = a & ~uptr{7};
  if (Word(seen.write).is_side()) return false;
  if (((from | size) & 3) == 0 && crowd::is_in(Word(seen.read))) return false;
  LiveConflicts found;
  if (!advance(View{t, t.now()}, write, seen, from, from + size, g, next, found)) return false;
  if (found.count != 0) return false;
  next = next.shown();
  if (crowd::is_in(Word(next.read))) crowd::note_region(g);
  return true;
}

// Checks [a, a + size), which the history has already. `element`: what a report calls the access,
// if not all of it.
static void check_noted(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                        std::size_t element = 0) {
  const View v{t, t.now()};
  const uptr end = a + size;
  // A long range may race with the same earlier one all along: that is one report.
  LiveConflict last{};
  uptr last_end = 0;
  for (uptr g = a & ~uptr{7}; g < end; g += 8) {
    if (g >= a && end - g >= 8) {
      const uptr whole = end & ~uptr{7};
      g = sweep_own(t, is_write(kind), g, whole);
      const uptr region_end = std::min(whole, (g | (owner::kRegion - 1)) + 1);
      if (g < whole && owner::is_everybodys(g))
        g = sweep_everybodys(t, is_write(kind), g, region_end);
    }
    if (g >= end) break;
    LiveConflicts found;
    check_granule(t, v, kind, g, g < a ? static_cast<unsigned>(a - g) : 0,
                  end - g < 8 ? static_cast<unsigned>(end - g) : 8, found);
    for (unsigned i = 0; i < found.count; ++i) {
      const LiveConflict& c = found.list[i];
      if (c.kind == last.kind && c.epoch == last.epoch && c.address < last_end) continue;
      last = c;
      const uptr at = element == 0 ? a : c.address - (c.address - a) % element;
      last_end = report_race(t, kind, at, element == 0 ? size : element, pc, c);
    }
  }
}

// A guess, without a lock.
static bool is_on_roll(uptr a) {
  if constexpr (!crowd::kUsed) return false;
  const Word w(__atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_ACQUIRE));
  return w.is_side() && w.side<Side>()->accesses.is_on_roll();
}

// A read, which the history has already, of a granule whose readers are on a roll.
static bool attend(ThreadState& t, AccessKind kind, uptr a, unsigned size, uptr pc) {
  const uptr g = a & ~uptr{7};
  const ShadowCell& cell = ShadowCell::of(g);
  const Word w(__atomic_load_n(&cell.write, __ATOMIC_ACQUIRE));
  if (!w.is_side()) return false;
  Side& side = *w.side<Side>();
  LiveConflicts found;
  {
    const Locked guard(side.accesses.lock);
    const bool is_its = __atomic_load_n(&cell.write, __ATOMIC_RELAXED) == w.bits();
    if (!is_its || !side.accesses.is_on_roll()) return false;
    const auto race = [&](AccessKind earlier, Epoch30 epoch, unsigned mask) {
      found.add(run_of(earlier, epoch, g, mask));
    };
    if (!side.accesses.attend(t, t.epoch, bytes_of(a & 7, (a & 7) + size), race)) return false;
  }
  for (unsigned i = 0; i < found.count; ++i) report_race(t, kind, a, size, pc, found.list[i]);
  return true;
}

// Under the lock of the stripe, by all the rules. `noted`: the history has it already.
static __attribute__((noinline)) void check_under_stripe(ThreadState& t, AccessKind kind, uptr a,
                                                         unsigned size, uptr pc, bool noted) {
  if (!noted) t.history.note(t, kind, a, size, pc);
  if (crowd::kUsed && !is_write(kind)) crowd::note_read_beside(t);
  const unsigned from = a & 7;
  const uptr g = a & ~uptr{7};
  LiveConflicts found;
  {
    LockedSide side(g);
    check_side_run(View{t, t.now()}, kind, side, g, from, from + size, found);
  }
  for (unsigned i = 0; i < found.count; ++i) report_race(t, kind, a, size, pc, found.list[i]);
}

template <bool Write>
static __attribute__((always_inline)) inline void check_beside(ThreadState& t, uptr a,
                                                               unsigned size, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  if (!is_checked(t, a, size)) return;
  const unsigned from = a & 7;
  const auto mask = bytes_of(from, from + size);
  const RuntimeScope scope(t);
  bool noted = false;
  const auto note = [&]() __attribute__((always_inline)) {
    t.history.note(t, kind, a, size, pc);
  };
  switch (step_beside<Write>(t, ShadowCell::of(a), mask, note)) {
    case Beside::Done:
      return;
    case Beside::Small:
      return give_back_side(a & ~uptr{7});
    case Beside::Before:
      // Not so, if it tries now and then to make a crowd of it.
      if (Write || ((from | size) & 3) != 0 || !crowd::wants_now_and_then(t)) return;
      break;
    case Beside::Many:
      if (same_epoch_among(t, Write, a & ~uptr{7}, from, from + size)) return;
      if (!Write && is_on_roll(a)) {
        note();
        noted = true;
        if (attend(t, kind, a, size, pc)) return;
      }
      break;
    case Beside::Unsolved:
      break;
  }
  check_under_stripe(t, kind, a, size, pc, noted);
}
void check_beside(ThreadState& t, AccessKind kind, uptr a, unsigned size, uptr pc) {
  return is_write(kind) ? check_beside<true>(t, a, size, pc) : check_beside<false>(t, a, size, pc);
}

template <unsigned Size, bool Write>
void check_word(ThreadState& t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  const Word form(__atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_RELAXED));
  if (form.is_side()) return check_beside(t, kind, a, Size, pc);
  if ((Size < 4 || form.is_list()) && same_epoch(t, Write, a, Size)) return;
  if (!is_checked(t, a, Size)) return;
  const RuntimeScope scope(t);
  if (!Write && crowd::contains(t, Word(ShadowCell::of(a).load().read), a & 7, Size)) return;
  // Noted first: whoever meets the epoch in the shadow must find its stack.
  t.history.note(t, kind, a, Size, pc);
  const View v{t, t.now()};
  const unsigned from = a & 7;
  const uptr g = a & ~uptr{7};
  LiveConflicts found;
  auto next_words = [&](const ShadowCell& seen, ShadowCell& next) __attribute__((always_inline)) {
    const Word w(seen.write), r(seen.read);
    const auto otherwise = [&] {
      found.count = 0;
      return advance_list(v, Write, seen, from, from + Size, g, next, found);
    };
    if (w.is_list()) return otherwise();
    if (!w.is_plain()) {
      return Size >= 4 && (a & 3) == 0 &&
             advance_shared(v, Write, seen, from, from + Size, g, next, found);
    }
    if constexpr (Size == 8) {
      if (!Word::are_halves(w.bits() | r.bits())) return otherwise();
      Epoch30 we = w.low(), re = r.low();
      if (!exclusive(v, Write, we, re) && !step(v, Write, we, re, a, 4, found)) {
        found.count = 0;
        return !Write && share(v, seen, 3, g, next, found);
      }
      Epoch30 w2 = w.high(), r2 = r.high();
      if (w2 == w.low() && r2 == r.low()) {
        w2 = we;
        r2 = re;
        for (unsigned i = 0; i < found.count; ++i) found.list[i].size = 8;
      } else if (!exclusive(v, Write, w2, r2) && !step(v, Write, w2, r2, a + 4, 4, found)) {
        return false;
      }
      next = {Word::halves(we, w2).bits(), Word::halves(re, r2).bits()};
      return true;
    } else if constexpr (Size == 4) {
      if (!w.in_halves() || !r.in_halves() || (a & 3) != 0) return otherwise();
      const unsigned shift = from * 8;
      const std::uint64_t keep = ~(std::uint64_t{0xffff'ffff} << shift);
      auto we = static_cast<Epoch30>(w.bits() >> shift);
      auto re = static_cast<Epoch30>(r.bits() >> shift);
      if (!exclusive(v, Write, we, re) && !step(v, Write, we, re, a, 4, found)) {
        found.count = 0;
        return !Write && share(v, seen, from == 0 ? 1 : 2, g, next, found);
      }
      next = {(w.bits() & keep) | std::uint64_t{we} << shift,
              (r.bits() & keep) | std::uint64_t{re} << shift};
      return true;
    } else {
      return exclusive_bytes(v.t, Write, from, from + Size, seen, next) || otherwise();
    }
  };
  const bool done = change(t, g, found, next_words);
  for (unsigned i = 0; i < found.count; ++i) report_race(t, kind, a, Size, pc, found.list[i]);
  if (!done) check_noted(t, kind, a, Size, pc);
}

template void check_word<1, false>(ThreadState&, uptr, uptr);
template void check_word<1, true>(ThreadState&, uptr, uptr);
template void check_word<2, false>(ThreadState&, uptr, uptr);
template void check_word<2, true>(ThreadState&, uptr, uptr);
template void check_word<4, false>(ThreadState&, uptr, uptr);
template void check_word<4, true>(ThreadState&, uptr, uptr);
template void check_word<8, false>(ThreadState&, uptr, uptr);
template void check_word<8, true>(ThreadState&, uptr, uptr);

void check_run(ThreadState& t, AccessKind kind, uptr a, std::size_t size, std::size_t element,
               uptr pc) {
  if (!samples(t)) {
    if (!is_active() || !is_checked(t, a, size)) return;
    // Since it was there in this period, nothing has been sampled that it could race with, unless
    // others sample.
    if ((t.period & 1) == 0) {
      if (t.recent_runs.has(t.epoch, is_write(kind), a, a + size)) return;
      t.recent_runs.add(t.epoch, is_write(kind), a, a + size);
    }
    return check_unsampled(t, kind, a, size, pc, element);
  }
  // What is short is looked at as quickly as remembered. Only its own thread may forget a run;
  // another must be able to open memory (lockset/).
  constexpr std::size_t kShort = 256;
  const bool remember = !kLockset && size > kShort;
  if (remember && t.recent_runs.has(t.epoch, is_write(kind), a, a + size)) return;
  if (!is_checked(t, a, size)) return;
  if (remember) t.recent_runs.add(t.epoch, is_write(kind), a, a + size);
  if (same_epoch(t, is_write(kind), a, size)) return;
  if constexpr (kLockset) discipline::check(t, kind, a, size, pc);
  const RuntimeScope scope(t);
  constexpr std::size_t kMost = 0xffff;  // elements that one note can hold
  for (std::size_t part; size > 0; a += part, size -= part) {
    part = size / element > kMost ? kMost * element : size;
    t.history.note_walk(t, kind, a, element, part / element, pc);
    check_noted(t, kind, a, part, pc, element);
  }
}

void check_last(ThreadState& t, uptr a, std::size_t size, uptr pc) {
  if (samples(t) && is_checked(t, a, size)) {
    const RuntimeScope scope(t);
    const View v{t, t.now()};
    ShadowCell last{0, 0};  // neighbours are often alike
    uptr g = a & ~uptr{7};
    for (; g < a + size; g += 8) {
      // Of what only code without checks has used there is no shadow, which a look would make.
      if (g % owner::kRegion == 0 && owner::is_nobodys(g)) {
        g += owner::kRegion - 8;
        continue;
      }
      const ShadowCell seen = ShadowCell::of(g).load();
      if (seen == last) continue;
      if (!all_past(v, seen, g)) break;
      last = Word(seen.write).is_side() ? ShadowCell{0, 0} : seen;
    }
    if (g >= a + size) return;
  }
  check_access(t, AccessKind::Write, a, size, pc);
}

// Of an access that this epoch has not made.
static __attribute__((noinline)) void check_new(ThreadState& t, AccessKind kind, uptr a,
                                                std::size_t size, uptr pc) {
  if (!is_checked(t, a, size)) return;
  const RuntimeScope scope(t);
  t.history.note(t, kind, a, size, pc);
  check_noted(t, kind, a, size, pc);
}

void check_access(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (!samples(t)) return check_unsampled(t, kind, a, size, pc);
  if (!same_epoch(t, is_write(kind), a, size)) check_new(t, kind, a, size, pc);
}

}  // namespace steward::rt
