// What taking and giving a lock means to the detector, whoever's lock it is.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "runtime/intercept/real.h"
#include "runtime/intercept/unseen.h"
#include "runtime/sample/period.h"
#include "runtime/sync/lock_set.h"
#include "runtime/sync/sync_object.h"
#include "runtime/trace/tool.h"

namespace steward::rt {

// PACER, while checks are off: nothing is noted of a lock but that it was taken, and the few
// instructions that takes are spent inside the program's critical section. A robust mutex is
// listed, for its next owner comes after a thread that ends with it.
inline bool is_robust(uptr lock, SyncKind kind) {
  constexpr int kRobust = 16;  // a bit above the kind in glibc's field
  return kind == SyncKind::Mutex &&
         (reinterpret_cast<const pthread_mutex_t*>(lock)->__data.__kind & kRobust) != 0;
}
// While checks rest, whoever is awake has received all that was sampled, and no lock tells it more.
// So none is listed then either. (A thread that sampling finds with a lock lacks it in reports, as
// one that took it while checks were off.)
inline bool knows_all(const ThreadState& t) {
  return kSamples && checks() == Checks::OrderOnly && !t.sampling && t.held_count == 0;
}
inline bool is_idly_taken(ThreadState& t, uptr lock, SyncKind kind, bool all_known) {
  if ((!no_order_matters() && !all_known) || is_robust(lock, kind)) return false;
  count_work(t);
  return true;
}
// What was listed before they were switched off must still leave the list.
inline bool is_idly_given(const ThreadState& t) {
  return no_order_matters() && t.held_count == 0;
}

inline void note_taken(ThreadState& t, uptr lock, SyncKind kind, uptr pc) {
  if (!is_idly_taken(t, lock, kind, knows_all(t))) take_lock(t, lock, true, kind, pc);
}
// The same at the end of a wait, which is when a thread receives what others have sampled.
inline void note_retaken(ThreadState& t, uptr lock, SyncKind kind, uptr pc) {
  if (!is_idly_taken(t, lock, kind, false)) take_lock(t, lock, true, kind, pc);
}
inline void note_given(ThreadState& t, uptr lock) {
  if (is_idly_given(t)) return;
  lock_given(t, lock);
  release_lock(t, lock);
}
inline void note_taken_shared(ThreadState& t, uptr lock, SyncKind kind, uptr pc) {
  if (!is_idly_taken(t, lock, kind, knows_all(t))) take_lock(t, lock, false, kind, pc);
}
inline void note_given_shared(ThreadState& t, uptr lock) {
  if (is_idly_given(t)) return;
  lock_given(t, lock);
  release_shared(t, lock);
}

inline bool is_held(const ThreadState& t, uptr lock) {
  for (std::uint32_t i = 0; i < t.held_count; ++i) {
    if (t.held[i].address == lock) return true;
  }
  return false;
}
// Who takes or gives a lock: nobody, if that is done where it counts for nothing. But what the
// program's own code has taken is its own, whoever takes it again, gives it or waits with it.
inline ThreadState* user_of(uptr lock, uptr pc) {
  ThreadState* t = interceptor_thread();
  return t != nullptr && is_unseen(pc) && !is_held(*t, lock) ? nullptr : t;
}

// A new object at this address has no past.
inline void renew(const volatile void* object) {
  if (ThreadState* t = interceptor_thread()) {
    const RuntimeScope scope(*t);
    LockedSide side(address(object), false);
    if (side) end_syncs(side, address(object), address(object) + 1);
    if constexpr (kTraces) {
      trace::event(*t, trace::Op::Renew, {.address = address(object), .size = 1});
    }
  }
}

// EOWNERDEAD: a robust mutex is ours, its last owner died with it.
inline bool is_taken(int result) {
  return result == 0 || result == EOWNERDEAD;
}

template <class Lock, class Take>
int take(Lock* lock, SyncKind kind, uptr pc, Take real) {
  const int result = real();
  if (!is_taken(result)) return result;
  if (ThreadState* t = user_of(address(lock), pc)) note_taken(*t, address(lock), kind, pc);
  return result;
}

template <class Lock, class Give>
int give(Lock* lock, uptr pc, Give real) {
  if (ThreadState* t = user_of(address(lock), pc)) note_given(*t, address(lock));
  return real();
}

}  // namespace steward::rt
