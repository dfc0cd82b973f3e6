#include "runtime/sync/lock_set.h"

#include "runtime/history/stack_depot.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {
namespace {

std::uint32_t next_id = 1;

template <class F>
void with_object(uptr a, F f) {
  LockedSide side(a, false);
  if (!side) return;
  if (SyncObject* s = find_sync(side, a)) f(*s);
}

}  // namespace

void take_lock(ThreadState& t, uptr a, bool write, SyncKind kind, uptr pc) {
  const RuntimeScope scope(t);
  LockedSide side(a);
  SyncObject& s = sync_at(side, a);
  if (t.ignore_sync == 0 && t.epoch != 0) {
    join_from(t, s);
    if (write) t.clock.join(s.readers);
  }
  for (std::uint32_t i = 0; i < t.held_count; ++i) {
    if (t.held[i].address == a) {
      ++t.held[i].count;
      return;
    }
  }
  if (t.held_count == ThreadState::kMaxHeld) return;  // reports name the first 64
  if (s.id == 0) {
    s.id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
    s.kind = kind;
    s.created = static_cast<std::uint32_t>(keep_stack(stack_of(t, pc)));
  }
  t.held[t.held_count++] = {a, s.id, write, 1};
}

void lock_given(ThreadState& t, uptr a) {
  for (std::uint32_t i = t.held_count; i-- > 0;) {
    if (t.held[i].address != a) continue;
    if (--t.held[i].count == 0) {
      for (; i + 1 < t.held_count; ++i) t.held[i] = t.held[i + 1];
      --t.held_count;
    }
    return;
  }
}

const char* lock_kind(uptr a) {
  SyncKind kind = SyncKind::Mutex;
  with_object(a, [&](SyncObject& s) { kind = s.kind; });
  return kind == SyncKind::RwLock ? "rwlock" : kind == SyncKind::Spin ? "spin" : "mutex";
}

StackId lock_created(uptr a) {
  std::uint32_t id = 0;
  with_object(a, [&](SyncObject& s) { id = s.created; });
  return StackId{id};
}

}  // namespace steward::rt
