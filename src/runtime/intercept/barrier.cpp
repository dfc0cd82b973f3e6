// Barriers. Who leaves a round comes after all who arrived for it, and not after what a faster
// thread did since: that one may have arrived for the next round already when a slower one leaves
// this. So two clocks take turns; nobody arrives for the round after next before all have left this
// one.
//
// A round is counted by arrivals, which is only right while no more threads than parties use the
// barrier: among more, glibc may group them otherwise than we saw them arrive. Then every leaver
// takes both clocks: an order too many, never one too few.
#include <pthread.h>

#include "runtime/intercept/lock.h"

using namespace steward::rt;
using steward::Slot;

REAL(int, pthread_barrier_init, pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)
REAL(int, pthread_barrier_destroy, pthread_barrier_t*)
REAL(int, pthread_barrier_wait, pthread_barrier_t*)

namespace {

// The clocks are sync objects at the barrier's first two bytes. The one at the third counts:
// `parties`, `arrived`, and in `readers` one for the slot of each thread that came.
constexpr uptr kCounter = 2;

template <class F>
void with_counter(ThreadState& t, uptr barrier, F f) {
  const RuntimeScope scope(t);
  LockedSide side(barrier);
  f(sync_at(side, barrier + kCounter));
}

unsigned arrive(ThreadState& t, uptr barrier) {
  unsigned round = 0;
  with_counter(t, barrier, [&](SyncObject& s) {
    if (s.parties == 0) return;  // set up before we were there
    round = s.arrived++ / s.parties & 1;
    const Slot slot = t.now().slot();
    if (s.readers[slot] != 0) return;
    s.readers.set(slot, 1);
    s.clock.set(Slot{0}, s.clock[Slot{0}] + 1);  // how many came
  });
  return round;
}

bool crowded(ThreadState& t, uptr barrier) {
  bool yes = false;
  with_counter(t, barrier, [&](SyncObject& s) { yes = s.clock[Slot{0}] > s.parties; });
  return yes;
}

}  // namespace

STEWARD_HOOK int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attr,
                                      unsigned parties) {
  const int result = real_pthread_barrier_init()(b, attr, parties);
  ThreadState* t = interceptor_thread();
  if (result != 0 || t == nullptr) return result;
  const RuntimeScope scope(*t);
  LockedSide side(address(b));
  end_syncs(side, address(b), address(b) + kCounter + 1);
  SyncObject& s = sync_at(side, address(b) + kCounter);
  s.parties = parties;
  if constexpr (kTraces) {
    trace::event(*t, trace::Op::Renew, {.address = address(b), .size = kCounter + 1});
  }
  return result;
}
STEWARD_HOOK int pthread_barrier_destroy(pthread_barrier_t* b) {
  const int result = real_pthread_barrier_destroy()(b);
  ThreadState* t = interceptor_thread();
  if (result != 0 || t == nullptr) return result;
  const RuntimeScope scope(*t);
  LockedSide side(address(b), false);
  if (side) end_syncs(side, address(b), address(b) + kCounter + 1);
  return result;
}
STEWARD_HOOK int pthread_barrier_wait(pthread_barrier_t* b) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return real_pthread_barrier_wait()(b);
  const unsigned round = arrive(*t, address(b));
  release_merge(*t, address(b) + round);
  const int result = real_pthread_barrier_wait()(b);
  if (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD) {
    acquire(*t, address(b) + round);
    if (crowded(*t, address(b))) acquire(*t, address(b) + (round ^ 1));
  }
  return result;
}
