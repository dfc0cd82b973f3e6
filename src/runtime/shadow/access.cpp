// The detector's step on live memory: core's FastTrack (core/fasttrack/access.h) on the runs of a
// granule's two words. Check and update are one step, either the region's owner's alone or a
// compare-and-exchange (shadow/owner.h), so no race is lost to a race in the detector.
#include "core/fasttrack/access.h"

#include <algorithm>

#include "core/fasttrack/cell.h"
#include "runtime/burst/burst.h"
#include "runtime/lockset/discipline.h"
#include "runtime/record/report.h"
#include "runtime/sample/period.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/same_epoch.h"
#include "runtime/shadow/short_list.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {
namespace {

void add(LiveConflicts& found, const Verdict& v, uptr a, unsigned size) {
  for (unsigned i = 0; i < v.listed(); ++i) {
    found.add({v[i].kind, pack(v[i].stamp.epoch), a, size});
  }
}

// One run of bytes as the body wants it: plain epochs, no side.
struct RunCell {
  Epoch w, r;
  Stamp write() const { return {w, kNoSite}; }
  Stamp read() const { return {r, kNoSite}; }
  void set_write(const Stamp& s) { w = s.epoch; }
  void set_read(const Stamp& s) { r = s.epoch; }
  bool read_is(Epoch e) const { return r == e; }
  static constexpr bool has_side() { return false; }
  void clear_reads(Pool&) { r = {}; }
  void settle(Pool&) {}
  [[noreturn]] fasttrack::Cell::Side& side(Pool&) { __builtin_unreachable(); }
};

struct View {
  const ThreadState& t;
  Epoch now;
  Epoch epoch() const { return now; }
  bool covers(Epoch e) const { return t.clock.covers(e); }
};

Pool& no_pool() {
  return *reinterpret_cast<Pool*>(alignof(Pool));
}  // a RunCell never uses it

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

// False: reads of several threads; the run does not stay plain.
__attribute__((noinline)) bool step(const View& v, bool write, Epoch30& w, Epoch30& r, uptr a,
                                    unsigned bytes, LiveConflicts& found) {
  RunCell cell{unpack(w), unpack(r)};
  if (write) {
    const Verdict verdict = fasttrack::write(no_pool(), cell, v, kNoSite, v.t.sampling);
    if (verdict.racy()) add(found, verdict, a, bytes);
  } else {
    if (cell.w == v.now) return true;  // reads what it wrote in this epoch: the write stands for it
    if (!v.covers(cell.r)) {
      if (v.t.sampling) return false;
      // Others' reads stay; there is none of this thread's to discard.
      if (!v.covers(cell.w)) found.add({AccessKind::Write, pack(cell.w), a, bytes});
      return true;
    }
    const Verdict verdict = fasttrack::read(no_pool(), cell, v, kNoSite, v.t.sampling);
    if (verdict.racy()) add(found, verdict, a, bytes);
  }
  w = pack(cell.w);
  r = pack(cell.r);
  return true;
}

LiveConflict in_halves(AccessKind kind, Epoch30 e, uptr g, std::uint32_t halves) {
  return {kind, e, halves == 2 ? g + 4 : g, halves == 3 ? 8u : 4u};
}

// The first run of these bytes.
LiveConflict run_of(AccessKind kind, Epoch30 e, uptr g, unsigned mask) {
  const auto first = static_cast<unsigned>(__builtin_ctz(mask));
  return {kind, e, g + first, static_cast<std::uint32_t>(__builtin_ctz(~(mask >> first)))};
}

// Two threads' reads of a granule that one epoch wrote.
bool share(const View& v, const ShadowCell& seen, std::uint32_t halves, uptr g, ShadowCell& next,
           LiveConflicts& found) {
  const Word w(seen.write), r(seen.read);
  if (w.low() != w.high() || !w.in_halves() || !r.in_halves()) return false;
  Readers readers;
  readers.write = w.low();
  if (r.low() == r.high()) {
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
  if (!readers.add(v, pack(v.now), halves)) return false;
  check(AccessKind::Write, readers.write, halves);
  next = readers.encode();
  return true;
}

// The walk over bytes or shorts: [from, to) follows the bytes of this epoch, or begins the granule,
// and the bytes there share one history. True if that is the case and it was done.
__attribute__((always_inline)) inline bool grow_run(const View& v, bool write, const Word& w,
                                                    const Word& r, unsigned from, unsigned to,
                                                    uptr g, ShadowCell& next,
                                                    LiveConflicts& found) {
  const Epoch30 now = pack(v.now);
  const Word& x = write ? w : r;      // the word that gets the access
  const Word& other = write ? r : w;  // a write empties the reads: there must be none
  const bool begins = from == 0 && x.low() == x.high();
  if (!begins && !(x.low() == now && x.cut() == from)) return false;
  if (write ? other.bits() != 0 : other.low() != other.high()) return false;
  Epoch30 nw = write ? x.high() : other.high(), nr = write ? 0 : x.high();
  if (!step(v, write, nw, nr, g + from, to - from, found)) return false;
  if (!write && nr != now) return false;
  const Word grown = to == 8 ? Word::uniform(now) : Word::runs(to, now, x.high());
  next = write ? ShadowCell{grown.bits(), 0} : ShadowCell{w.bits(), grown.bits()};
  return true;
}

// Byte by byte, as runs of equal history: any plain words.
bool advance_runs(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                  uptr g, ShadowCell& next, LiveConflicts& found) {
  const Word w(seen.write), r(seen.read);
  Epoch30 ws[8], rs[8];
  for (unsigned b = 0; b < 8; ++b) {
    ws[b] = w.at(b);
    rs[b] = r.at(b);
  }
  for (unsigned b = from; b < to;) {
    unsigned e = b + 1;
    while (e < to && ws[e] == ws[b] && rs[e] == rs[b]) ++e;
    Epoch30 nw = ws[b], nr = rs[b];
    if (!step(v, write, nw, nr, g + b, e - b, found)) return false;
    for (; b < e; ++b) {
      ws[b] = nw;
      rs[b] = nr;
    }
  }
  const auto w2 = Word::of(ws), r2 = Word::of(rs);
  if (!w2 || !r2) return false;
  next = {w2->bits(), r2->bits()};
  return true;
}

// Any form of a cell as a list, for what words cannot hold.
bool advance_list(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                  uptr g, ShadowCell& next, LiveConflicts& found) {
  if constexpr (kSamples) return false;
  ShortList list = ShortList::of(seen);
  found.count = 0;
  list.access(
      v, pack(v.now), write ? AccessKind::Write : AccessKind::Read, bytes_of(from, to),
      [&](AccessKind kind, Epoch30 e, unsigned mask) { found.add(run_of(kind, e, g, mask)); });
  return encode(list.begin(), list.end(), next);
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
  if (grow_run(v, write, w, r, from, to, g, next, found)) return true;
  found.count = 0;
  // A list finds the runs too.
  return kSamples && advance_runs(v, write, seen, from, to, g, next, found);
}

bool advance(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to, uptr g,
             ShadowCell& next, LiveConflicts& found) {
  return (!Word(seen.write).is_list() && advance_words(v, write, seen, from, to, g, next, found)) ||
         advance_list(v, write, seen, from, to, g, next, found);
}

void check_side_run(const View& v, AccessKind kind, LockedSide& side, uptr g, unsigned from,
                    unsigned to, LiveConflicts& found) {
  if (kind == AccessKind::Write) side->forget();
  auto race = [&](AccessKind earlier, Epoch30 epoch, unsigned mask) {
    found.add(run_of(earlier, epoch, g, mask));
  };
  side->accesses.access(side.pool(), v, pack(v.now), kind, bytes_of(from, to), v.t.sampling, race);
}

// One step on the two words of a granule: f(seen, next) gives the new words, or false if words
// cannot hold it. False also if the granule has a side: nothing was done then.
template <class F>
__attribute__((always_inline)) inline bool change(ThreadState& t, uptr g, F f) {
  ShadowCell& cell = ShadowCell::of(g);
  ShadowCell next;
  while (owner::claim(t, g)) {
    const owner::Section section(t);
    if (!owner::is(t, g)) continue;  // taken meanwhile
    const ShadowCell seen = cell.load();
    if (Word(seen.write).is_side() || !f(seen, next)) return false;
    cell.store(seen, next.shown());
    return true;
  }
  ShadowCell seen = cell.load();
  do {
    if (Word(seen.write).is_side() || !f(seen, next)) return false;
    next = next.shown();
  } while (next != seen && !cell.exchange(seen, next));
  return true;
}

void check_granule(ThreadState& t, const View& v, AccessKind kind, uptr g, unsigned from,
                   unsigned to, LiveConflicts& found) {
  LiveConflicts here;
  const bool done = change(t, g, [&](const ShadowCell& seen, ShadowCell& next) {
    here.count = 0;
    return advance(v, is_write(kind), seen, from, to, g, next, here);
  });
  if (done) {
    for (unsigned i = 0; i < here.count; ++i) found.add(here.list[i]);
    return;
  }
  LockedSide side(g);
  check_side_run(v, kind, side, g, from, to, found);
}

// A granule's new words after an access that is not sampled, or false if they cannot hold it.
bool advance_unsampled(const View& v, bool write, const ShadowCell& seen, unsigned from,
                       unsigned to, uptr g, ShadowCell& next, LiveConflicts& found) {
  const Word w(seen.write);
  if (!w.is_shared()) return advance_runs(v, write, seen, from, to, g, next, found);
  const bool whole = from == 0 && to == 8;
  if (write && !whole) return false;
  Readers readers = Readers::decode(seen);
  if (!v.covers(unpack(readers.write))) {
    found.add({AccessKind::Write, readers.write, g + from, to - from});
  }
  if (write) {
    for (const Readers::Entry& e : readers.entries) {
      if (!v.covers(unpack(e.epoch))) found.add(in_halves(AccessKind::Read, e.epoch, g, e.halves));
    }
    next = {0, 0};
    return true;
  }
  const std::uint32_t halves = (from == 0 && to >= 4 ? 1u : 0u) | (from <= 4 && to == 8 ? 2u : 0u);
  for (Readers::Entry& e : readers.entries) {
    if (e.epoch != 0 && unpack(e.epoch).slot() == v.now.slot()) e.halves &= ~halves;
    if (e.halves == 0) e.epoch = 0;
  }
  next = readers.encode();
  return true;
}

void check_unsampled_granule(ThreadState& t, AccessKind kind, uptr g, unsigned from, unsigned to,
                             LiveConflicts& found) {
  const View v{t, t.now()};
  const bool done = change(t, g, [&](const ShadowCell& seen, ShadowCell& next) {
    found.count = 0;
    return advance_unsampled(v, is_write(kind), seen, from, to, g, next, found);
  });
  if (done) return;
  found.count = 0;
  LockedSide side(g);
  check_side_run(v, kind, side, g, from, to, found);
}

// Would a read that is not sampled find no race, and nothing to discard? Without a lock: as if it
// came when the cell was looked at. Data that all read stays so for long.
bool changes_nothing(const ThreadState& t, const ShadowCell& seen) {
  const auto is_others = [&](Epoch30 e) { return e == 0 || unpack(e).slot() != t.now().slot(); };
  const Word w(seen.write), r(seen.read);
  if (w.is_side()) return false;
  if (!w.is_shared()) {
    return t.covers(unpack(w.low())) && t.covers(unpack(w.high())) && is_others(r.low()) &&
           is_others(r.high());
  }
  const Readers readers = Readers::decode(seen);
  return t.covers(unpack(readers.write)) &&
         std::all_of(readers.entries, readers.entries + Readers::kCount,
                     [&](const Readers::Entry& e) { return is_others(e.epoch); });
}

// Whole granules that one epoch wrote and one read, both before this access: the usual case of a
// copy in everybody's regions. Returns where it stopped.
uptr sweep_exclusive(const View& v, bool write, uptr g, uptr end) {
  for (; g < end; g += 8) {
    ShadowCell& cell = ShadowCell::of(g);
    ShadowCell seen = cell.load();
    Epoch30 w = Word(seen.write).low(), r = Word(seen.read).low();
    if (Word::uniform(w).bits() != seen.write || Word::uniform(r).bits() != seen.read ||
        !exclusive(v, write, w, r) ||
        !cell.exchange(seen,
                       ShadowCell{Word::uniform(w).bits(), Word::uniform(r).bits()}.shown())) {
      return g;
    }
  }
  return g;
}

// Did all that is known of a granule come before?
bool is_past(const View& v, const ShadowCell& seen, uptr g) {
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

// Whole granules of the thread's own region that nobody else has touched. Returns where it stopped.
uptr sweep_own(ThreadState& t, bool write, uptr g, uptr end) {
  while (g < end && owner::claim(t, g)) {
    const owner::Section section(t);
    if (!owner::is(t, g)) continue;
    const uptr last = std::min(end, (g | (owner::kRegion - 1)) + 1);
    for (; g < last; g += 8) {
      ShadowCell& cell = ShadowCell::of(g);
      const ShadowCell seen = cell.load();
      if (!only_of(t.word, seen.write) || !only_of(t.word, seen.read)) return g;
      if (kSamples && !write && seen.write == 0) return g;
      cell.store(seen, write ? ShadowCell{t.word, 0} : ShadowCell{seen.write, t.word});
    }
  }
  return g;
}

}  // namespace

void check_side(const ThreadState& t, AccessKind kind, LockedSide& side, uptr a, unsigned size,
                LiveConflicts& found) {
  const unsigned from = a & 7;
  check_side_run(View{t, t.now()}, kind, side, a & ~uptr{7}, from, from + size, found);
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
    if (g >= a && end - g > 8) {
      const uptr whole = end & ~uptr{7};
      g = sweep_own(t, is_write(kind), g, whole);
      const uptr region_end = std::min(whole, (g | (owner::kRegion - 1)) + 1);
      if (g < whole && owner::is_everybodys(g))
        g = sweep_exclusive(v, is_write(kind), g, region_end);
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

static bool is_checked(const ThreadState& t, uptr a, std::size_t size) {
  return t.ignore_accesses == 0 && t.epoch != 0 && size != 0 && a < kAddressSpace - size &&
         in_burst(t);
}

template <unsigned Size, bool Write>
void check_word(ThreadState& t, uptr a, uptr pc) {
  constexpr AccessKind kind = Write ? AccessKind::Write : AccessKind::Read;
  const Word form(__atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_RELAXED));
  if ((Size < 4 || form.is_list() || form.is_side()) && same_epoch(t, Write, a, Size)) return;
  if (!is_checked(t, a, Size)) return;
  const RuntimeScope scope(t);
  // Noted first: whoever meets the epoch in the shadow must find its stack.
  t.history.note(t, kind, a, Size, pc);
  const View v{t, t.now()};
  const unsigned from = a & 7;
  const uptr g = a & ~uptr{7};
  LiveConflicts found;
  auto next_words = [&](const ShadowCell& seen, ShadowCell& next) __attribute__((always_inline)) {
    const Word w(seen.write), r(seen.read);
    found.count = 0;
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
      return grow_run(v, Write, w, r, from, from + Size, g, next, found) || otherwise();
    }
  };
  if (!change(t, g, next_words)) return check_noted(t, kind, a, Size, pc);
  for (unsigned i = 0; i < found.count; ++i) report_race(t, kind, a, Size, pc, found.list[i]);
}

template void check_word<1, false>(ThreadState&, uptr, uptr);
template void check_word<1, true>(ThreadState&, uptr, uptr);
template void check_word<2, false>(ThreadState&, uptr, uptr);
template void check_word<2, true>(ThreadState&, uptr, uptr);
template void check_word<4, false>(ThreadState&, uptr, uptr);
template void check_word<4, true>(ThreadState&, uptr, uptr);
template void check_word<8, false>(ThreadState&, uptr, uptr);
template void check_word<8, true>(ThreadState&, uptr, uptr);

void check_unsampled(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                     std::size_t element) {
  if (!is_active() || !is_checked(t, a, size)) return;
  const uptr end = a + size;
  for (uptr g = a & ~uptr{7}; g < end;) {
    const uptr region_end = std::min(end, (g | (owner::kRegion - 1)) + 1);
    if (owner::is_nobodys(g)) {  // nothing is recorded in all of it
      g = region_end;
      continue;
    }
    for (; g < region_end; g += 8) {
      const ShadowCell seen = ShadowCell::of(g).load();
      if (seen.write == 0) continue;  // nothing is known of it
      if (!is_write(kind) && changes_nothing(t, seen)) continue;
      const RuntimeScope scope(t);
      LiveConflicts found;
      check_unsampled_granule(t, kind, g, g < a ? static_cast<unsigned>(a - g) : 0,
                              end - g < 8 ? static_cast<unsigned>(end - g) : 8, found);
      for (unsigned i = 0; i < found.count; ++i) {
        const LiveConflict& c = found.list[i];
        const uptr at = element == 0 ? a : c.address - (c.address - a) % element;
        report_race(t, kind, at, element == 0 ? size : element, pc, c);
      }
    }
  }
}

void check_run(ThreadState& t, AccessKind kind, uptr a, std::size_t size, std::size_t element,
               uptr pc) {
  if (!samples(t)) {
    if (!is_active() || !is_checked(t, a, size)) return;
    // Since it was there in this period, nothing has been sampled that it could race with.
    if (t.recent_runs.has(t.epoch, is_write(kind), a, a + size)) return;
    t.recent_runs.add(t.epoch, is_write(kind), a, a + size);
    return check_unsampled(t, kind, a, size, pc, element);
  }
  // Only its own thread may forget a run; another must be able to open memory (lockset/).
  if (!kLockset && t.recent_runs.has(t.epoch, is_write(kind), a, a + size)) return;
  if (!is_checked(t, a, size)) return;
  t.recent_runs.add(t.epoch, is_write(kind), a, a + size);
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
      const ShadowCell seen = ShadowCell::of(g).load();
      if (seen == last) continue;
      if (!is_past(v, seen, g)) break;
      last = Word(seen.write).is_side() ? ShadowCell{0, 0} : seen;
    }
    if (g >= a + size) return;
  }
  check_access(t, AccessKind::Write, a, size, pc);
}

void check_access(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (!samples(t)) return check_unsampled(t, kind, a, size, pc);
  if (same_epoch(t, is_write(kind), a, size) || !is_checked(t, a, size)) return;
  const RuntimeScope scope(t);
  t.history.note(t, kind, a, size, pc);
  check_noted(t, kind, a, size, pc);
}

}  // namespace steward::rt
