// LARD's interface (include/steward/lard.h), rules 1 to 4: what is the program's and what is the
// system's, memory that is used again, objects that move. Threads are in lard_threads.cpp, clocks
// in lard_clock.cpp.
#include "runtime/abi/lard.h"

#include "runtime/abi/hook.h"
#include "runtime/history/moves.h"
#include "runtime/intercept/real.h"
#include "runtime/lockset/discipline.h"
#include "runtime/record/report.h"
#include "runtime/shadow/copy_history.h"
#include "runtime/sync/sync_object.h"

namespace steward::rt {

void misuse(ThreadState& t, const char* text, uptr pc) {
  message(t, "misuse of lard.h, without effect", text, pc);
}

namespace {

bool is_range(uptr a, std::size_t bytes) {
  return a < kAddressSpace && bytes <= kAddressSpace - a;
}

void tracked(AccessKind kind, const void* p, std::size_t bytes, uptr pc) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr || bytes == 0) return;
  if (!is_range(address(p), bytes)) return misuse(*t, "an access outside the address space", pc);
  const OutsideRegions outside(*t);
  check_access(*t, kind, address(p), bytes, pc);
}

template <class F>
void synchronise(const void* object, uptr pc, F f) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  if (object == nullptr || !is_range(address(object), 1)) {
    return misuse(*t, "synchronisation on an object that is no address", pc);
  }
  const OutsideRegions outside(*t);
  f(*t, address(object));
}

}  // namespace
}  // namespace steward::rt

using namespace steward::rt;
using steward::AccessKind;

STEWARD_HOOK int __steward_lard_version() {
  return 1;
}

STEWARD_HOOK void __steward_lard_read(const void* p, std::size_t bytes) {
  tracked(AccessKind::Read, p, bytes, STEWARD_CALLER);
}
STEWARD_HOOK void __steward_lard_write(const void* p, std::size_t bytes) {
  tracked(AccessKind::Write, p, bytes, STEWARD_CALLER);
}

STEWARD_HOOK void __steward_lard_system_begin() {
  if (!started()) return;
  ThreadState& t = self();
  ++t.system_regions;
  ++t.ignore_accesses;
  ++t.ignore_sync;
}
STEWARD_HOOK void __steward_lard_system_end() {
  if (!started()) return;
  ThreadState& t = self();
  if (t.system_regions == 0) {
    return misuse(t, "a system region is ended that this thread has not begun", STEWARD_CALLER);
  }
  --t.system_regions;
  --t.ignore_accesses;
  --t.ignore_sync;
}

STEWARD_HOOK void __steward_lard_acquire(const void* object) {
  synchronise(object, STEWARD_CALLER, [](ThreadState& t, uptr a) { acquire(t, a); });
}
STEWARD_HOOK void __steward_lard_release(const void* object) {
  synchronise(object, STEWARD_CALLER, [](ThreadState& t, uptr a) { release(t, a); });
}
STEWARD_HOOK void __steward_lard_release_merge(const void* object) {
  synchronise(object, STEWARD_CALLER, [](ThreadState& t, uptr a) { release_merge(t, a); });
}

STEWARD_HOOK void __steward_lard_clear_history(const void* p, std::size_t bytes) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr || bytes == 0) return;
  if (!is_range(address(p), bytes)) {
    return misuse(*t, "history is cleared outside the address space", STEWARD_CALLER);
  }
  const RuntimeScope scope(*t);
  clear_shadow(address(p), bytes);
  if constexpr (kLockset) discipline::reborn(*t, address(p), bytes);
  note_new_life();
}

STEWARD_HOOK void __steward_lard_copy_history(const void* from, const void* to, std::size_t bytes) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr || bytes == 0 || from == to) return;
  const uptr a = address(from), b = address(to);
  if (!is_range(a, bytes) || !is_range(b, bytes)) {
    return misuse(*t, "history is copied outside the address space", STEWARD_CALLER);
  }
  if (a < b + bytes && b < a + bytes) {
    return misuse(*t, "history is copied between ranges that overlap", STEWARD_CALLER);
  }
  const RuntimeScope scope(*t);
  copy_history(a, b, bytes);
  note_new_life();
  note_move(a, b, bytes);
}
