#include "runtime/shadow/step.h"

#include "runtime/shadow/crowd.h"
#include "runtime/shadow/exclusive.h"
#include "runtime/shadow/short_list.h"

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

Pool& no_pool() {
  return *reinterpret_cast<Pool*>(alignof(Pool));
}  // a RunCell never uses it

// Others have read it that this thread knows nothing of.
bool read_beside(const View& v, Epoch w, Epoch30& r, uptr a, unsigned bytes, LiveConflicts& found) {
  if constexpr (!crowd::kUsed) return false;
  if (!crowd::contains(v.t, r)) {
    crowd::note_read_beside(v.t);
    if ((!crowd::is(r) && !crowd::wants(v.t)) || !crowd::join(v.t, r, r)) return false;
  }
  if (!v.covers(w)) found.add({AccessKind::Write, pack(w), a, bytes});
  return true;
}

// What is known of a granule that has no side. False: more than a list has room for.
bool list_of(const ShadowCell& seen, ShortList& list) {
  const Word reads(seen.read);
  if (!Word(seen.write).is_plain() || !crowd::is_in(reads)) {
    list = ShortList::of(seen);
    return true;
  }
  constexpr long kMost = 3;  // readers of either half
  for (const Epoch30 half : {reads.low(), reads.high()}) {
    const crowd::Members members = crowd::members_of(half);
    if (members.end() - members.begin() > kMost) return false;
  }
  list = ShortList::of({seen.write, 0});
  bool fits = true;
  crowd::each_read(reads, [&](Epoch30 e, unsigned mask) {
    fits = fits && list.has_room();
    if (fits) list.add({e, AccessKind::Read, static_cast<ShortList::Mask>(mask)});
  });
  return fits;
}

}  // namespace

bool step(const View& v, bool write, Epoch30& w, Epoch30& r, uptr a, unsigned bytes,
          LiveConflicts& found) {
  RunCell cell{unpack(w), unpack(r)};
  if (write) {
    if (crowd::is(r)) cell.r = {};
    const Verdict verdict = fasttrack::write(no_pool(), cell, v, kNoSite, v.t.sampling);
    if (verdict.racy()) add(found, verdict, a, bytes);
    if (crowd::is(r)) {  // after the write: not all of many readers are told
      for (const Epoch30 e : crowd::members_of(r)) {
        if (!v.covers(unpack(e))) found.add({AccessKind::Read, e, a, bytes});
      }
    }
  } else {
    if (cell.w == v.now) return true;  // reads what it wrote in this epoch: the write stands for it
    if (!v.covers(cell.r)) {
      if (v.t.sampling) return read_beside(v, cell.w, r, a, bytes, found);
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

bool advance_list(const View& v, bool write, const ShadowCell& seen, unsigned from, unsigned to,
                  uptr g, ShadowCell& next, LiveConflicts& found) {
  ShortList list;
  if (!list_of(seen, list)) return false;
  found.count = 0;
  list.access(v, pack(v.now), write ? AccessKind::Write : AccessKind::Read, bytes_of(from, to),
              v.t.sampling, [&](AccessKind kind, Epoch30 e, unsigned mask) {
                found.add(run_of(kind, e, g, mask));
              });
  return encode(list.begin(), list.end(), next);
}

void check_side_run(const View& v, AccessKind kind, LockedSide& side, uptr g, unsigned from,
                    unsigned to, LiveConflicts& found) {
  if (kind == AccessKind::Write) side->forget();
  const auto bytes = bytes_of(from, to);
  if (!is_atomic(kind) && v.t.sampling) {
    AccessList& all = side->accesses;
    const auto made = is_write(kind) ? all.advance<true>(v.t, pack(v.now), bytes)
                                     : all.advance<false>(v.t, pack(v.now), bytes);
    if (made != AccessList::Made::No) return;
  }
  auto race = [&](AccessKind earlier, Epoch30 epoch, unsigned mask) {
    found.add(run_of(earlier, epoch, g, mask));
  };
  side->accesses.access(side.pool(), v, pack(v.now), kind, bytes, v.t.sampling, race);
}

}  // namespace steward::rt
