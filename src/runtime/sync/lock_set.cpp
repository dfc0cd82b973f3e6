#include "runtime/sync/lock_set.h"

#include "runtime/history/stack_depot.h"
#include "runtime/sample/period.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/runtime_scope.h"
#include "runtime/trace/tool.h"

namespace steward::rt {
namespace {

// What reports say of a lock, by id: it may be gone by then.
constexpr std::uint32_t kMaxLocks = 1 << 20;  // later ones have no id
LockInfo* infos = nullptr;
std::uint32_t next_id = 1;

std::uint32_t new_lock(const ThreadState& t, uptr a, SyncKind kind, uptr pc) {
  if (__atomic_load_n(&next_id, __ATOMIC_RELAXED) >= kMaxLocks) return 0;
  const std::uint32_t id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  if (id >= kMaxLocks) return 0;
  infos[id] = {a, kind, keep_stack(stack_of(t, pc))};
  return id;
}

// Counts one more taking of a lock that is held; false if it is not.
bool hold_again(ThreadState& t, uptr a) {
  for (std::uint32_t i = 0; i < t.held_count; ++i) {
    if (t.held[i].address == a) {
      ++t.held[i].count;
      return true;
    }
  }
  return t.held_count == ThreadState::kMaxHeld;  // reports name the first 64
}

#if STEWARD_LOCKSET
// Of one that has no id any more, its address: too large to be an id.
SyncId lock_named(const HeldLock& h) {
  return SyncId{h.id != 0 ? h.id : h.address | std::uint64_t{1} << 62};
}
#endif

}  // namespace

void take_lock(ThreadState& t, uptr a, bool write, SyncKind kind, uptr pc) {
  if constexpr (kTraces) {
    trace::acquired(t, a, write ? trace::Mode::Exclusive : trace::Mode::Shared, pc);
    if (!hold_again(t, a)) t.held[t.held_count++] = {a, 0, kind, write, 1, pc};
    return;
  }
  note_work(t);
  if (no_order_matters() || (kSamples && t.ignore_sync == 0 && nothing_to_acquire(t, a))) {
    if (!hold_again(t, a)) t.held[t.held_count++] = {a, 0, kind, write, 1, pc};
    return;
  }
  const RuntimeScope scope(t);
  LockedSide side(a);
  SyncObject& s = sync_at(side, a);
  if (t.ignore_sync == 0 && t.epoch != 0) acquire_lock(t, s, write);
  if (hold_again(t, a)) return;
  if (s.id == 0) s.id = new_lock(t, a, kind, pc);
  t.held[t.held_count++] = {a, s.id, kind, write, 1, pc};
  t.history.note_lock(s.id, true);
#if STEWARD_LOCKSET
  t.lockset.monitors.acquire(lock_named(t.held[t.held_count - 1]),
                             write ? SyncMode::Exclusive : SyncMode::Shared);
#endif
}

void name_locks(ThreadState& t) {
  for (std::uint32_t i = 0; i < t.held_count; ++i) {
    HeldLock& h = t.held[i];
    if (h.id != 0) continue;
    LockedSide side(h.address);
    SyncObject& s = sync_at(side, h.address);
    if (s.id == 0) s.id = new_lock(t, h.address, h.kind, h.pc);
    h.id = s.id;
  }
}

void release_held(ThreadState& t, const HeldLock& h) {
  if constexpr (!kTraces) return release(t, h.address);
  for (std::uint32_t i = 0; i < h.count; ++i) {
    if (h.write) {
      release_lock(t, h.address);
    } else {
      release_shared(t, h.address);
    }
  }
}

void lock_given(ThreadState& t, uptr a) {
  for (std::uint32_t i = t.held_count; i-- > 0;) {
    if (t.held[i].address != a) continue;
    if (--t.held[i].count == 0) {
      const RuntimeScope scope(t);
      t.history.note_lock(t.held[i].id, false);
#if STEWARD_LOCKSET
      t.lockset.monitors.release(lock_named(t.held[i]));
#endif
      for (; i + 1 < t.held_count; ++i) t.held[i] = t.held[i + 1];
      --t.held_count;
    }
    return;
  }
}

void map_locks() {
  infos = static_cast<LockInfo*>(sys::map(kMaxLocks * sizeof(LockInfo)));
}

const LockInfo& lock_info(std::uint32_t id) {
  return infos[id];
}

const char* name(SyncKind kind) {
  return kind == SyncKind::RwLock ? "rwlock" : kind == SyncKind::Spin ? "spin" : "mutex";
}

}  // namespace steward::rt
