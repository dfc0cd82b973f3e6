#include "runtime/sync/sync_object.h"

#include "runtime/thread/runtime_scope.h"

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

void join_from(ThreadState& t, SyncObject& m) {
  if (t.covers(m.last)) return;
  t.clock.join(m.clock);
}

void copy_to(SyncObject& m, const ThreadState& t) {
  m.clock.copy(t.clock);
  m.last = t.now();
}

void merge_to(SyncObject& m, const ThreadState& t) {
  if (t.covers(m.last) || t.clock.covers(m.clock)) return copy_to(m, t);
  m.clock.join(t.clock);
  m.last = kMixed;
}

namespace {

template <class F>
void on_object(ThreadState& t, uptr a, bool make, F f) {
  if (t.ignore_sync != 0 || t.epoch == 0) return;
  const RuntimeScope scope(t);
  LockedSide side(a, make);
  if (!side) return;
  SyncObject* m = make ? &sync_at(side, a) : find_sync(side, a);
  if (m != nullptr) f(*m);
}

}  // namespace

void acquire(ThreadState& t, uptr a) {
  on_object(t, a, false, [&](SyncObject& m) { join_from(t, m); });
}
void release(ThreadState& t, uptr a) {
  const RuntimeScope scope(t);
  on_object(t, a, true, [&](SyncObject& m) { copy_to(m, t); });
  increment(t);
}
void release_merge(ThreadState& t, uptr a) {
  const RuntimeScope scope(t);
  on_object(t, a, true, [&](SyncObject& m) { merge_to(m, t); });
  increment(t);
}
void release_shared(ThreadState& t, uptr a) {
  const RuntimeScope scope(t);
  on_object(t, a, true, [&](SyncObject& m) { m.readers.join(t.clock); });
  increment(t);
}

}  // namespace steward::rt
