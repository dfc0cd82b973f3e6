// A managed heap and its monitors, as a virtual machine announces them.
#include "runtime/abi/hook.h"
#include "runtime/intercept/lock.h"
#include "runtime/lockset/discipline.h"

using namespace steward::rt;

namespace {
void clear(uptr a, std::size_t size) {
  if (ThreadState* t = interceptor_thread()) {
    const RuntimeScope scope(*t);
    clear_shadow(a, size);
    note_new_life();
  }
}
}  // namespace

STEWARD_HOOK void __tsan_java_init(uptr heap, uptr size) {
  start_runtime();
  cover(heap, size);
  clear(heap, size);
}
STEWARD_HOOK int __tsan_java_fini() {
  return 0;
}
STEWARD_HOOK void __tsan_java_alloc(uptr p, uptr size) {
  clear(p, size);
  if constexpr (kLockset) discipline::reborn(*current, p, size);
}
STEWARD_HOOK void __tsan_java_free(uptr p, uptr size) {
  clear(p, size);
}
STEWARD_HOOK uptr __tsan_java_find(uptr*, uptr, uptr) {
  return 0;
}
STEWARD_HOOK void __tsan_java_move(uptr from, uptr to, uptr size) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr || from == to) return;
  const RuntimeScope scope(*t);
  if constexpr (kLockset) discipline::moved(from, to, size);
  if (to < from || to >= from + size) {
    move_shadow(from, to, size);
  } else {  // upwards over itself: from the end
    for (uptr i = size & ~uptr{7}; i > 0; i -= 8) move_shadow(from + i - 8, to + i - 8, 8);
  }
  // What is left behind is free; what overlaps was moved onto.
  if (to >= from + size || to + size <= from) {
    clear_shadow(from, size);
  } else if (to < from) {
    clear_shadow(to + size, from - to);
  } else {
    clear_shadow(from, to - from);
  }
  note_new_life();
}
// The finaliser's thread comes after the last uses: the machine's own release and acquire say so.
STEWARD_HOOK void __tsan_java_finalize() {}

STEWARD_HOOK void __tsan_java_mutex_lock(uptr a) {
  if (ThreadState* t = interceptor_thread()) note_taken(*t, a, SyncKind::Mutex, STEWARD_CALLER);
}
STEWARD_HOOK void __tsan_java_mutex_unlock(uptr a) {
  if (ThreadState* t = interceptor_thread()) note_given(*t, a);
}
STEWARD_HOOK void __tsan_java_mutex_read_lock(uptr a) {
  if (ThreadState* t = interceptor_thread()) {
    note_taken_shared(*t, a, SyncKind::RwLock, STEWARD_CALLER);
  }
}
STEWARD_HOOK void __tsan_java_mutex_read_unlock(uptr a) {
  if (ThreadState* t = interceptor_thread()) note_given_shared(*t, a);
}
STEWARD_HOOK void __tsan_java_mutex_lock_rec(uptr a, int times) {
  if (ThreadState* t = interceptor_thread()) {
    for (; times > 0; --times) note_taken(*t, a, SyncKind::Mutex, STEWARD_CALLER);
  }
}
STEWARD_HOOK int __tsan_java_mutex_unlock_rec(uptr a) {
  int times = 0;
  if (ThreadState* t = interceptor_thread()) {
    for (std::uint32_t i = 0; i < t->held_count; ++i) {
      if (t->held[i].address == a) times = static_cast<int>(t->held[i].count);
    }
    for (int i = 0; i < times; ++i) note_given(*t, a);
  }
  return times;
}
STEWARD_HOOK void __tsan_java_acquire(uptr a) {
  if (ThreadState* t = interceptor_thread()) acquire(*t, a);
}
STEWARD_HOOK void __tsan_java_release(uptr a) {
  if (ThreadState* t = interceptor_thread()) release_merge(*t, a);
}
STEWARD_HOOK void __tsan_java_release_store(uptr a) {
  if (ThreadState* t = interceptor_thread()) release(*t, a);
}
