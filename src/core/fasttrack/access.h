// FastTrack's reads and writes (PACER paper, Algorithms 7-8) and PACER's (Algorithms 12-13,
// Table 4) in one body: with `sampling` true, Algorithms 12-13 are 7-8, so FastTrack is PACER that
// always samples. An access that is not sampled is checked but not recorded, and what it would
// have overwritten is discarded.
//
// Deviation: atomic accesses, which the paper does not have. They conflict with plain accesses,
// not with each other, so concurrent ones must all be remembered: they have maps of their own. The
// argument for what may be overwritten is in docs/detectors/fasttrack.md.
//
// Thread: `Epoch epoch()`, `bool covers(Epoch)`. Cell: see fasttrack/cell.h. State is the caller's
// to make exclusive.
#pragma once

#include "core/detector/verdict.h"

namespace steward::fasttrack {

namespace detail {

template <class Thread>
void check(Verdict& v, const Thread& t, AccessKind kind, const Stamp& earlier) {
  if (!t.covers(earlier.epoch)) v.add(kind, earlier);
}

template <class Thread>
void check(Verdict& v, const Thread& t, AccessKind kind, const ReadMap& earlier) {
  earlier.for_each([&](const Stamp& s) { check(v, t, kind, s); });
}

// R <- epoch(t) when t's access follows all in the map; else R[t] <- C_t[t]. Unsampled: the same
// entries go, and none comes. True when exclusive.
template <class Thread>
bool update(ReadMap& map, const Thread& t, SiteId site, bool sampling) {
  const Stamp now{t.epoch(), site};
  if (map.size() <= 1 && t.covers(map.single().epoch)) {
    map.set_single(sampling ? now : Stamp{});
    return true;
  }
  if (sampling) {
    map.put(now);
  } else {
    map.erase(now.epoch.slot());
  }
  return false;
}

// Reads of a variable with a side structure, or that now needs one. Apart from the rest, so that
// the rules that nearly all accesses take stay small enough to be inlined.
template <class Cell, class Thread>
[[gnu::noinline]] void read_side(Verdict& v, Pool& pool, Cell& f, const Thread& t, SiteId site,
                                 bool sampling) {
  auto& side = f.side(pool);
  check(v, t, AccessKind::AtomicWrite, side.atomic_writes);
  v.rule = update(side.reads, t, site, sampling) ? AccessRule::ReadExclusive
                                                 : AccessRule::ReadShared;
  f.settle(pool);
}

template <class Cell, class Thread>
[[gnu::noinline]] void write_side(Verdict& v, Pool& pool, Cell& f, const Thread& t) {
  auto& side = f.side(pool);
  if (side.reads.size() > 1) v.rule = AccessRule::WriteShared;
  check(v, t, AccessKind::Read, side.reads);
  check(v, t, AccessKind::AtomicRead, side.atomic_reads);
  check(v, t, AccessKind::AtomicWrite, side.atomic_writes);
  f.clear_reads(pool);
}

}  // namespace detail

template <class Cell, class Thread>
[[gnu::always_inline]] inline Verdict read(Pool& pool, Cell& f, const Thread& t, SiteId site,
                                           bool sampling) {
  Verdict v;
  v.rule = AccessRule::ReadSameEpoch;
  if (f.read_is(t.epoch())) return v;
  detail::check(v, t, AccessKind::Write, f.write());
  if (!f.has_side() && t.covers(f.read().epoch)) {
    v.rule = AccessRule::ReadExclusive;
    f.set_read(sampling ? Stamp{t.epoch(), site} : Stamp{});
    return v;
  }
  detail::read_side(v, pool, f, t, site, sampling);
  return v;
}

template <class Cell, class Thread>
[[gnu::always_inline]] inline Verdict write(Pool& pool, Cell& f, const Thread& t, SiteId site,
                                            bool sampling) {
  Verdict v;
  v.rule = AccessRule::WriteSameEpoch;
  if (f.write().epoch == t.epoch()) return v;
  detail::check(v, t, AccessKind::Write, f.write());
  v.rule = AccessRule::WriteExclusive;
  // The reads are forgotten: whoever races with one of them races with this write.
  if (!f.has_side()) {
    detail::check(v, t, AccessKind::Read, f.read());
    f.set_read({});
  } else {
    detail::write_side(v, pool, f, t);
  }
  f.set_write(sampling ? Stamp{t.epoch(), site} : Stamp{});
  return v;
}

template <class Cell, class Thread>
[[gnu::noinline]] Verdict atomic_read(Pool& pool, Cell& f, const Thread& t, SiteId site,
                                      bool sampling) {
  Verdict v;
  auto& side = f.side(pool);
  v.rule = AccessRule::AtomicReadSameEpoch;
  if (side.atomic_reads.single().epoch != t.epoch()) {
    detail::check(v, t, AccessKind::Write, f.write());
    v.rule = detail::update(side.atomic_reads, t, site, sampling)
                 ? AccessRule::AtomicReadExclusive
                 : AccessRule::AtomicReadShared;
  }
  f.settle(pool);
  return v;
}

template <class Cell, class Thread>
[[gnu::noinline]] Verdict atomic_write(Pool& pool, Cell& f, const Thread& t, SiteId site,
                                       bool sampling) {
  Verdict v;
  auto& side = f.side(pool);
  v.rule = AccessRule::AtomicWriteSameEpoch;
  if (side.atomic_writes.single().epoch != t.epoch()) {
    detail::check(v, t, AccessKind::Write, f.write());
    detail::check(v, t, AccessKind::Read, side.reads);
    // A later plain access that races with a covered atomic read races with this write as well. A
    // plain read must stay: a later atomic write races with it, but not with this one.
    if (side.atomic_reads.covered_by(t)) side.atomic_reads.clear();
    v.rule = detail::update(side.atomic_writes, t, site, sampling)
                 ? AccessRule::AtomicWriteExclusive
                 : AccessRule::AtomicWriteShared;
  }
  f.settle(pool);
  return v;
}

template <class Cell, class Thread>
[[gnu::always_inline]] inline Verdict access(Pool& pool, Cell& f, const Thread& t,
                                             AccessKind kind, SiteId site, bool sampling) {
  switch (kind) {
    case AccessKind::Read: return read(pool, f, t, site, sampling);
    case AccessKind::Write: return write(pool, f, t, site, sampling);
    case AccessKind::AtomicRead: return atomic_read(pool, f, t, site, sampling);
    case AccessKind::AtomicWrite: break;
  }
  return atomic_write(pool, f, t, site, sampling);
}

}  // namespace steward::fasttrack
