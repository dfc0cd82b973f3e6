// Annotations in sources: dynamic_annotations.h (Annotate...) and sanitizer/tsan_interface.h.
#include "runtime/abi/hook.h"
#include "runtime/history/stack_depot.h"
#include "runtime/intercept/lock.h"
#include "runtime/intercept/range.h"
#include "runtime/record/benign.h"

using namespace steward::rt;

namespace {

// One who happened before; any number of them may meet at an address.
void before(uptr a) {
  if (ThreadState* t = interceptor_thread()) release_merge(*t, a);
}
void after(uptr a) {
  if (ThreadState* t = interceptor_thread()) acquire(*t, a);
}
void locked(uptr a, bool write, uptr pc) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  if (write) {
    note_taken(*t, a, SyncKind::RwLock, pc);
  } else {
    note_taken_shared(*t, a, SyncKind::RwLock, pc);
  }
}
void unlocked(uptr a, bool write) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  if (write) {
    note_given(*t, a);
  } else {
    note_given_shared(*t, a);
  }
}
void add(std::uint32_t ThreadState::*counter, int n) {
  if (!started()) return;
  ThreadState& t = self();
  if (n > 0 || t.*counter > 0) t.*counter += static_cast<std::uint32_t>(n);
}
void fresh(uptr a, std::size_t size) {
  if (ThreadState* t = interceptor_thread()) without_past(*t, a, size);
}

}  // namespace

using File = const char*;

STEWARD_HOOK void AnnotateHappensBefore(File, int, uptr a) {
  before(a);
}
STEWARD_HOOK void AnnotateHappensAfter(File, int, uptr a) {
  after(a);
}
STEWARD_HOOK void WTFAnnotateHappensBefore(File, int, uptr a) {
  before(a);
}
STEWARD_HOOK void WTFAnnotateHappensAfter(File, int, uptr a) {
  after(a);
}
STEWARD_HOOK void AnnotateCondVarSignal(File, int, uptr a) {
  before(a);
}
STEWARD_HOOK void AnnotateCondVarSignalAll(File, int, uptr a) {
  before(a);
}
STEWARD_HOOK void AnnotateCondVarWait(File, int, uptr a, uptr) {
  after(a);
}
STEWARD_HOOK void AnnotatePCQCreate(File, int, uptr a) {
  renew(reinterpret_cast<void*>(a));
}
STEWARD_HOOK void AnnotatePCQDestroy(File, int, uptr a) {
  renew(reinterpret_cast<void*>(a));
}
STEWARD_HOOK void AnnotatePCQPut(File, int, uptr a) {
  before(a);
}
STEWARD_HOOK void AnnotatePCQGet(File, int, uptr a) {
  after(a);
}

STEWARD_HOOK void AnnotateRWLockCreate(File, int, uptr a) {
  renew(reinterpret_cast<void*>(a));
}
STEWARD_HOOK void AnnotateRWLockCreateStatic(File, int, uptr) {}
STEWARD_HOOK void AnnotateRWLockDestroy(File, int, uptr a) {
  renew(reinterpret_cast<void*>(a));
}
STEWARD_HOOK void AnnotateRWLockAcquired(File, int, uptr a, uptr write) {
  locked(a, write != 0, STEWARD_CALLER);
}
STEWARD_HOOK void AnnotateRWLockReleased(File, int, uptr a, uptr write) {
  unlocked(a, write != 0);
}

STEWARD_HOOK void AnnotateIgnoreReadsBegin(File, int) {
  add(&ThreadState::ignore_accesses, 1);
}
STEWARD_HOOK void AnnotateIgnoreReadsEnd(File, int) {
  add(&ThreadState::ignore_accesses, -1);
}
STEWARD_HOOK void AnnotateIgnoreWritesBegin(File, int) {
  add(&ThreadState::ignore_accesses, 1);
}
STEWARD_HOOK void AnnotateIgnoreWritesEnd(File, int) {
  add(&ThreadState::ignore_accesses, -1);
}
STEWARD_HOOK void AnnotateIgnoreSyncBegin(File, int) {
  add(&ThreadState::ignore_sync, 1);
}
STEWARD_HOOK void AnnotateIgnoreSyncEnd(File, int) {
  add(&ThreadState::ignore_sync, -1);
}

STEWARD_HOOK void AnnotateNewMemory(File, int, uptr a, uptr size) {
  fresh(a, size);
}
STEWARD_HOOK void AnnotateBenignRaceSized(File, int, uptr a, uptr size, const char*) {
  declare_benign(a, size);
}
STEWARD_HOOK void WTFAnnotateBenignRaceSized(File, int, uptr a, uptr size, const char*) {
  declare_benign(a, size);
}
STEWARD_HOOK void AnnotateBenignRace(File, int, uptr a, const char*) {
  declare_benign(a, 1);
}
STEWARD_HOOK void AnnotateExpectRace(File, int, uptr a, const char*) {
  declare_benign(a, 1);
}
STEWARD_HOOK void AnnotateThreadName(File, int, const char* name) {
  if (ThreadState* t = interceptor_thread()) name_thread(*t, name);
}

// These speak of the memory model of other tools, or ask for nothing.
STEWARD_HOOK void AnnotateEnableRaceDetection(File, int, int) {}
STEWARD_HOOK void AnnotateFlushExpectedRaces(File, int) {}
STEWARD_HOOK void AnnotateFlushState(File, int) {}
STEWARD_HOOK void AnnotateMemoryIsInitialized(File, int, uptr, uptr) {}
STEWARD_HOOK void AnnotateMemoryIsUninitialized(File, int, uptr, uptr) {}
STEWARD_HOOK void AnnotateMutexIsNotPHB(File, int, uptr) {}
STEWARD_HOOK void AnnotateMutexIsUsedAsCondVar(File, int, uptr) {}
STEWARD_HOOK void AnnotateNoOp(File, int, uptr) {}
STEWARD_HOOK void AnnotatePublishMemoryRange(File, int, uptr, uptr) {}
STEWARD_HOOK void AnnotateUnpublishMemoryRange(File, int, uptr, uptr) {}
STEWARD_HOOK void AnnotateTraceMemory(File, int, uptr) {}
STEWARD_HOOK int RunningOnValgrind() {
  return 0;
}
STEWARD_HOOK double ValgrindSlowdown() {
  return 10.0;
}
STEWARD_HOOK const char* ThreadSanitizerQuery(const char*) {
  return "0";
}

STEWARD_HOOK void __tsan_acquire(void* p) {
  after(address(p));
}
STEWARD_HOOK void __tsan_release(void* p) {
  before(address(p));
}
STEWARD_HOOK void __tsan_ignore_thread_begin() {
  add(&ThreadState::ignore_accesses, 1);
}
STEWARD_HOOK void __tsan_ignore_thread_end() {
  add(&ThreadState::ignore_accesses, -1);
}
STEWARD_HOOK void __tsan_flush_memory() {}
STEWARD_HOOK void __tsan_on_thread_idle() {}
STEWARD_HOOK void __tsan_check_no_mutexes_held() {}

// A mutex of the program's own making. What it does inside, between pre and post, is not looked at.
namespace {
enum MutexFlags : unsigned { kReadLock = 1u << 3, kTryFailed = 1u << 5 };
void inside(int n) {
  add(&ThreadState::ignore_accesses, n);
  add(&ThreadState::ignore_sync, n);
}
}  // namespace
STEWARD_HOOK void __tsan_mutex_create(void* m, unsigned) {
  renew(m);
}
STEWARD_HOOK void __tsan_mutex_destroy(void* m, unsigned) {
  renew(m);
}
STEWARD_HOOK void __tsan_mutex_pre_lock(void*, unsigned) {
  inside(1);
}
STEWARD_HOOK void __tsan_mutex_post_lock(void* m, unsigned flags, int) {
  inside(-1);
  if ((flags & kTryFailed) == 0) locked(address(m), (flags & kReadLock) == 0, STEWARD_CALLER);
}
STEWARD_HOOK int __tsan_mutex_pre_unlock(void* m, unsigned flags) {
  unlocked(address(m), (flags & kReadLock) == 0);
  inside(1);
  return 1;  // how often it was held: given back to post_lock after a wait
}
STEWARD_HOOK void __tsan_mutex_post_unlock(void*, unsigned) {
  inside(-1);
}
STEWARD_HOOK void __tsan_mutex_pre_signal(void*, unsigned) {
  inside(1);
}
STEWARD_HOOK void __tsan_mutex_post_signal(void*, unsigned) {
  inside(-1);
}
STEWARD_HOOK void __tsan_mutex_pre_divert(void*, unsigned) {
  inside(-1);
}
STEWARD_HOOK void __tsan_mutex_post_divert(void*, unsigned) {
  inside(1);
}
