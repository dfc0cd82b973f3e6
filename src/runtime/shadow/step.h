// What steps on a granule are made of, sampled or not.
#pragma once

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "runtime/burst/burst.h"
#include "runtime/shadow/alone.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/crowd.h"

namespace steward::rt {

struct View {
  const ThreadState& t;
  Epoch now;
  Epoch epoch() const { return now; }
  bool covers(Epoch e) const { return t.clock.covers(e); }
};

inline bool is_checked(const ThreadState& t, uptr a, std::size_t size) {
  return t.ignore_accesses == 0 && t.epoch != 0 && size != 0 && a < kAddressSpace - size &&
         in_burst(t);
}

// One run of bytes with the history (w, r), after an access by core's body. False: reads of several
// threads; the run does not stay plain.
bool step(const View& v, bool write, Epoch30& w, Epoch30& r, uptr a, unsigned bytes,
          LiveConflicts& found);

// The new words after an access to [from, to) of the granule at `g`, byte by byte as runs of equal
// history. False: two words cannot hold it.
bool advance_runs(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                  uptr g, ShadowCell& next, LiveConflicts& found);

// The same for any form of a cell that is no side, as a list.
bool advance_list(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                  uptr g, ShadowCell& next, LiveConflicts& found);

void check_side_run(const View& v, AccessKind kind, LockedSide& side, uptr g, unsigned from,
                    unsigned to, LiveConflicts& found);

inline LiveConflict in_halves(AccessKind kind, Epoch30 e, uptr g, std::uint32_t halves) {
  return {kind, e, halves == 2 ? g + 4 : g, halves == 3 ? 8u : 4u};
}

// The first run of these bytes.
inline LiveConflict run_of(AccessKind kind, Epoch30 e, uptr g, unsigned mask) {
  const auto first = static_cast<unsigned>(__builtin_ctz(mask));
  return {kind, e, g + first, static_cast<std::uint32_t>(__builtin_ctz(~(mask >> first)))};
}

// One step on the two words of a granule: f(seen, next) gives the new words and adds to `found`, or
// is false if words cannot hold it. False also if the granule has a side. Nothing was done then, but
// for a step that was lost to a walk: what it found is true all the same, and is in `found`.
template <class F>
__attribute__((always_inline)) inline bool change(ThreadState& t, uptr g, LiveConflicts& found,
                                                  F f) {
  ShadowCell& cell = ShadowCell::of(g);
  ShadowCell next;
  while (owner::claim(t, g)) {
    const owner::Section section(t);
    if (!owner::is(t, g)) continue;  // taken meanwhile
    const ShadowCell seen = cell.load();
    found.count = 0;
    if (Word(seen.write).is_side() || !f(seen, next)) {
      found.count = 0;
      return false;
    }
    if (crowd::is_in(Word(next.read))) crowd::note_region(g);
    cell.store(seen, next.shown());
    return true;
  }
  LiveConflicts of_lost;
  const auto end = [&](bool done) {
    if (!done) found.count = 0;
    for (unsigned i = 0; i < of_lost.count; ++i) found.add(of_lost.list[i]);
    return done;
  };
  for (;;) {
    const owner::Visit visit = owner::Visit::when_free(g);
    const ShadowCell seen = cell.load();
    found.count = 0;
    if (Word(seen.write).is_side() || !f(seen, next)) return end(false);
    next = next.shown();
    if (crowd::is_in(Word(next.read))) crowd::note_region(g);
    if (next == seen) {
      if (cell.is_still(seen)) return end(true);
    } else if (cell.replace(seen, next)) {
      if (visit.was_undisturbed() || cell.load() == next) return end(true);
      for (unsigned i = 0; i < found.count; ++i) of_lost.add(found.list[i]);
    }
  }
}

}  // namespace steward::rt
