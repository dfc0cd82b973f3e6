#include "runtime/sync/sync_object.h"

#include "runtime/jumble/tool.h"
#include "runtime/sample/period.h"
#include "runtime/thread/runtime_scope.h"
#include "runtime/trace/tool.h"

namespace steward::rt {

SyncObject* find_sync(LockedSide& side, uptr a) {
  for (SyncObject* s = side->syncs; s != nullptr; s = s->next) {
    if (s->address == a) return s;
  }
  return nullptr;
}

SyncObject& sync_at(LockedSide& side, uptr a) {
  if (SyncObject* s = find_sync(side, a)) return *s;
  auto* s = side.pool().make<SyncObject>(side.pool(), a);
  s->next = side->syncs;
  side->syncs = s;
  return *s;
}

void end_syncs(LockedSide& side, uptr begin, uptr end) {
  for (SyncObject** at = &side->syncs; *at != nullptr;) {
    SyncObject* s = *at;
    if (s->address >= begin && s->address < end) {
      *at = s->next;
      side.pool().destroy(s);
    } else {
      at = &s->next;
    }
  }
}

using Rule = pacer::OrderRule;  // the names of Table 7

void join_clock(ThreadState& t, const LiveClock& clock) {
#if STEWARD_SAMPLES
  if (t.clock.covers(clock)) return tally(t, Rule::JoinHappensBefore);
  tally(t, Rule::JoinConcurrent);
  const Locked guard(t.clock_lock);
  t.clock.join(clock);
  t.next_version();
#else
  t.clock.join(clock);
#endif
}

void join_from(ThreadState& t, SyncObject& m) {
  ++m.received;
  if (t.has(m.last)) return tally(t, Rule::JoinSameVersionEpoch);
  join_clock(t, m.clock);
  t.received(m.last);
}

#if STEWARD_SAMPLES
// Has the object this thread's clock already, under another name?
static bool equals(const SyncObject& m, const ThreadState& t) {
  if (m.last.is_minimal() || !t.has(m.last)) return false;
  if (t.equals.has(m.last.word())) return true;
  if (!m.clock.covers(t.clock)) return false;
  const_cast<ThreadState&>(t).equals.add(m.last.word());
  return true;
}
#endif

void copy_to(SyncObject& m, const ThreadState& t) {
#if STEWARD_SAMPLES
  if (!t.sampling) {
    tally(t, Rule::CopyShallow);
    if (equals(m, t)) return;
    m.clock.share(t.clock);
    m.last = t.name();
    return;
  }
  tally(t, Rule::CopyDeep);
#endif
  m.clock.copy(t.clock);
  m.last = t.name();
}

void merge_to(SyncObject& m, const ThreadState& t) {
  if (t.has(m.last)) {
    tally(t, Rule::VolatileSameVersionEpoch);
    return copy_to(m, t);
  }
  if (t.clock.covers(m.clock)) {
    tally(t, Rule::VolatileHappensBefore);
    return copy_to(m, t);
  }
  tally(t, Rule::VolatileConcurrent);
  m.clock.join(t.clock);
  m.last = kMixed;
}

namespace {

template <class F>
[[maybe_unused]] void on_object(ThreadState& t, uptr a, bool make, F f) {
  if (t.ignore_sync != 0 || t.epoch == 0) return;
  const RuntimeScope scope(t);
  LockedSide side(a, make);
  if (!side) return;
  SyncObject* m = make ? &sync_at(side, a) : find_sync(side, a);
  if (m != nullptr) f(*m);
  if constexpr (kSamples) note_published(side);
}

}  // namespace

void note_published(LockedSide& side) {
  std::uint64_t word = 0;
  if (const SyncObject* s = side->syncs) {
    const bool is_one =
        s->next == nullptr && s->last != kMixed && (!kSamples || s->readers.empty());
    word = is_one ? s->last.word() : Side::kBusy;
  }
  __atomic_store_n(&side->published, word, __ATOMIC_RELEASE);
}

#if STEWARD_SAMPLES
namespace {
// The one object's release, or kBusy. The side may be gone, and another's, while it is read.
std::uint64_t published_at(uptr a) {
  const std::uint64_t* cell = &ShadowCell::of(a).write;
  const Word word(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  if (!word.is_side()) return 0;
  const std::uint64_t p = __atomic_load_n(&word.side<Side>()->published, __ATOMIC_ACQUIRE);
  return __atomic_load_n(cell, __ATOMIC_ACQUIRE) == word.bits() ? p : Side::kBusy;
}
}  // namespace
bool nothing_to_acquire(const ThreadState& t, uptr a) {
  if (t.sampling) return false;
  const std::uint64_t p = published_at(a);
  if (p == Side::kBusy || !t.has(ReleaseName::from_word(p))) return false;
  tally(t, Rule::JoinSameVersionEpoch);
  return true;
}
bool nothing_to_release(const ThreadState& t, uptr a) {
  if (t.sampling) return false;
  const std::uint64_t p = published_at(a);
  if (p == 0 || (p != t.name().word() && !t.equals.has(p))) return false;
  tally(t, Rule::CopyShallow);
  tally(t, Rule::IncrementTimeless);
  return true;
}
#else
bool nothing_to_acquire(const ThreadState&, uptr) {
  return false;
}
bool nothing_to_release(const ThreadState&, uptr) {
  return false;
}
#endif

static void resume_epoch(ThreadState& t, const SyncObject& m, bool write) {
  // Clocks that tell more than the order, or locks that an access holds besides.
  if constexpr (kSamples || jumble::kEnabled || kLockset || kTraces) return;
  const Given& g = t.given;
  if (g.lock != m.address || g.write != write || g.next != t.latest()) return;
  if ((write ? m.received : m.readers_received) != g.received) return;
  if (clocks_are_told.load(std::memory_order_relaxed)) return;
  t.set_epoch(g.epoch);
  show(t);
}

void acquire_lock(ThreadState& t, SyncObject& m, bool write) {
  resume_epoch(t, m, write);
  join_from(t, m);
  if (!write) return;
  ++m.readers_received;
  if (m.readers.empty()) return;
  join_clock(t, m.readers);
  m.readers.clear();  // this thread has it, and releases it with the lock
}

#if STEWARD_TRACES
void acquire(ThreadState& t, uptr a) {
  trace::acquired(t, a, trace::Mode::Volatile);
}
void release(ThreadState& t, uptr a) {
  trace::releases(t, a, trace::Mode::Volatile);
}
void release_merge(ThreadState& t, uptr a) {
  trace::merges(t, a, trace::Mode::Volatile);
}
void release_shared(ThreadState& t, uptr a) {
  trace::merges(t, a, trace::Mode::Shared);
}
void release_lock(ThreadState& t, uptr a) {
  trace::releases(t, a, trace::Mode::Exclusive);
}
#else
// A reader's release: the next writer comes after it.
static void merge_readers(SyncObject& m, const ThreadState& t) {
#if STEWARD_SAMPLES
  if (!t.sampling) {
    if (m.last == t.name() || equals(m, t)) return tally(t, Rule::VolatileSameVersionEpoch);
    tally(t, Rule::VolatileConcurrent);
  }
#endif
  m.readers.join(t.clock);
}

// C_t[t] is advanced after a release to a lock.
static void increment(ThreadState& t, Given given) {
  given.epoch = t.now();
  increment(t);
  given.next = t.latest();
  t.given = given.epoch.slot() == given.next.slot() ? given : Given{};
}

void acquire(ThreadState& t, uptr a) {
  note_work(t);
  if (no_order_matters() || (kSamples && t.ignore_sync == 0 && nothing_to_acquire(t, a))) return;
  on_object(t, a, false, [&](SyncObject& m) { join_from(t, m); });
}
void release(ThreadState& t, uptr a) {
  if (no_order_matters() || (kSamples && t.ignore_sync == 0 && nothing_to_release(t, a))) return;
  const RuntimeScope scope(t);
  Given given{a, true};
  on_object(t, a, true, [&](SyncObject& m) {
    copy_to(m, t);
    given.received = m.received;
  });
  increment(t, given);
}
void release_merge(ThreadState& t, uptr a) {
  if (no_order_matters() || (kSamples && t.ignore_sync == 0 && nothing_to_release(t, a))) return;
  const RuntimeScope scope(t);
  on_object(t, a, true, [&](SyncObject& m) { merge_to(m, t); });
  increment(t);
}
void release_shared(ThreadState& t, uptr a) {
  if (no_order_matters()) return;
  const RuntimeScope scope(t);
  Given given{a, false};
  on_object(t, a, true, [&](SyncObject& m) {
    merge_readers(m, t);
    given.received = m.readers_received;
  });
  increment(t, given);
}
void release_lock(ThreadState& t, uptr a) {
  release(t, a);
}
#endif

}  // namespace steward::rt
