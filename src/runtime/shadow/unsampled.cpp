// Accesses that are not sampled (PACER): checked against what was sampled, of which they discard
// what they would have overwritten (core/fasttrack/access.h). Once that is done the inline checks
// pass: the bytes are empty, or a read has left its thread's mark (shadow/word.h).
#include <algorithm>

#include "runtime/record/report.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/step.h"
#include "runtime/shadow/untouched.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {
namespace {

bool is_empty(const Word& x) {
  return is_minimal(x.low()) && is_minimal(x.high());
}

// No race, and two words hold what is left: nearly always so.
bool advance_quietly(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                     ShadowCell& next) {
  const Word w(seen.write), r(seen.read);
  if (!w.is_plain() || !v.covers(unpack(w.low())) || !v.covers(unpack(w.high()))) return false;
  const bool low = v.covers(unpack(r.low())), high = v.covers(unpack(r.high()));
  if (write ? !low || !high : low != high) return false;
  Word nw = w, nr = r;
  if (low && !r.with(from, to, 0, nr)) return false;
  if (write && !w.with(from, to, 0, nw)) return false;
  if (!write && is_empty(nr)) nr = Word(mark_of(v.t.epoch));
  next = {nw.bits(), nr.bits()};
  return true;
}

// A granule's new words, or false if they cannot hold it.
bool advance_unsampled(const View& v, bool write, const ShadowCell& seen, unsigned from,
                       unsigned to, uptr g, ShadowCell& next, LiveConflicts& found) {
  const Word w(seen.write);
  const bool whole = from == 0 && to == 8;
  if (w.is_plain() && advance_runs(v, write, seen, from, to, g, next, found)) return true;
  if (!w.is_shared() || (write && !whole)) {
    return advance_list(v, write, seen, from, to, g, next, found);
  }
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
  bool any = false;
  for (Readers::Entry& e : readers.entries) {
    if (e.epoch != 0 && unpack(e.epoch).slot() == v.now.slot()) e.halves &= ~halves;
    if (e.halves == 0) e.epoch = 0;
    any = any || e.epoch != 0;
  }
  next = any ? readers.encode() : ShadowCell{Word::uniform(readers.write).bits(), 0};
  return true;
}

// Nothing is known of the bytes; or a read would find no race, and nothing to discard. Without a
// lock: as if it came when the cell was looked at.
bool changes_nothing(const ThreadState& t, bool write, const ShadowCell& seen, unsigned from,
                     unsigned to) {
  const Word w(seen.write), r(seen.read);
  if (seen.write == 0) return true;
  if (w.is_plain()) {
    if (w.at(from) == 0 && w.at(to - 1) == 0) return true;
    if (write) return false;
    if (seen.read == mark_of(t.epoch)) return true;
    // Others' reads stay. So does another's mark: two that read in turns would only take it from
    // each other.
    const bool others = is_empty(r) ? r.low() != 0 && r.high() != 0
                                    : !t.covers(unpack(r.low())) && !t.covers(unpack(r.high()));
    return others && t.covers(unpack(w.low())) && t.covers(unpack(w.high()));
  }
  if (write || !w.is_shared()) return false;
  const Readers readers = Readers::decode(seen);
  return t.covers(unpack(readers.write)) &&
         std::all_of(readers.entries, readers.entries + Readers::kCount, [&](const auto& e) {
           return e.epoch == 0 || unpack(e.epoch).slot() != t.now().slot();
         });
}

void check_granule(ThreadState& t, AccessKind kind, uptr g, unsigned from, unsigned to,
                   LiveConflicts& found) {
  const View v{t, t.now()};
  const bool done = change(t, g, found, [&](const ShadowCell& seen, ShadowCell& next) {
    return advance_quietly(v, is_write(kind), seen, from, to, next) ||
           advance_unsampled(v, is_write(kind), seen, from, to, g, next, found);
  });
  if (done) return;
  LockedSide side(g);
  check_side_run(v, kind, side, g, from, to, found);
}

// Out of line, so that the way past what nobody has touched stays small.
__attribute__((noinline)) void check_recorded(ThreadState& t, AccessKind kind, uptr a,
                                              std::size_t size, uptr pc, std::size_t element) {
  if (!is_active() || !is_checked(t, a, size)) return;
  const uptr end = a + size;
  for (uptr g = a & ~uptr{7}; g < end;) {
    const uptr region_end = std::min(end, (g | (owner::kRegion - 1)) + 1);
    if (owner::is_nobodys(g)) {  // nothing is recorded in all of it
      g = region_end;
      continue;
    }
    for (; g < region_end; g += 8) {
      const unsigned from = g < a ? static_cast<unsigned>(a - g) : 0;
      const unsigned to = end - g < 8 ? static_cast<unsigned>(end - g) : 8;
      if (changes_nothing(t, is_write(kind), ShadowCell::of(g).load(), from, to)) continue;
      const RuntimeScope scope(t);
      LiveConflicts found;
      check_granule(t, kind, g, from, to, found);
      for (unsigned i = 0; i < found.count; ++i) {
        const LiveConflict& c = found.list[i];
        const uptr at = element == 0 ? a : c.address - (c.address - a) % element;
        report_race(t, kind, at, element == 0 ? size : element, pc, c);
      }
    }
  }
}

}  // namespace

void check_unsampled(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                     std::size_t element) {
  if (!is_untouched(a, size)) check_recorded(t, kind, a, size, pc, element);
}

}  // namespace steward::rt
