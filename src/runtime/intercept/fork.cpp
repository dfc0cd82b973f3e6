// Fork. The child has one thread, and every lock of ours must be free in it: so they are all taken
// around the fork. Our handlers are registered before anybody's, hence run last before it and first
// after it: the program's own handlers find a runtime that works.
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

#include "runtime/history/stack_depot.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/unseen.h"
#include "runtime/jumble/tool.h"
#include "runtime/lockset/discipline.h"
#include "runtime/mem/small_blocks.h"
#include "runtime/record/record_file.h"
#include "runtime/record/report.h"
#include "runtime/sample/sampler.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/owner.h"
#include "runtime/sync/live_clock.h"
#include "runtime/thread/active.h"
#include "runtime/trace/tool.h"

using namespace steward::rt;

REAL(pid_t, fork)
REAL(pid_t, _Fork)
REAL(int, clone, int (*)(void*), void*, int, void*, ...)

namespace {

// In the order in which they are taken together elsewhere: who looks for libraries asks only libc;
// a report holds the records' lock and asks the registry, granules and the depot; a lock's first
// taker holds a granule and asks the depot; a granule's first lock takes its region; clocks and
// flags are the last that anybody asks for.
void before_fork() {
  if (!started()) return;
  ++current->busy;
  lock_unseen_for_fork();
  records_lock().lock();
  if constexpr (kSamples) lock_sampler_for_fork();
  if constexpr (jumble::kEnabled) jumble::lock_for_fork();
  if constexpr (kLockset) discipline::lock_for_fork();
  lock_registry_for_fork();
  lock_stripes_for_fork();
  owner::lock_for_fork();
  crowd::lock_for_fork();
  lock_depot_for_fork();
  if constexpr (kSamples) {
    lock_clocks_for_fork();
    lock_active_for_fork();
  }
  lock_thread_memory_for_fork();
  small::lock_for_fork();
}
void after_fork(bool child) {
  if (!started()) return;
  small::unlock_after_fork(child);
  unlock_thread_memory_after_fork();
  if constexpr (kSamples) {
    unlock_active_after_fork();
    unlock_clocks_after_fork();
  }
  unlock_depot_after_fork();
  crowd::unlock_after_fork(child);
  owner::unlock_after_fork(child);
  unlock_stripes_after_fork(child);
  unlock_registry_after_fork(child);
  if constexpr (kSamples) unlock_sampler_after_fork(child);
  if constexpr (kLockset) discipline::unlock_after_fork();
  if constexpr (jumble::kEnabled) jumble::unlock_after_fork();
  if (child) {
    moves_ended = moves_begun.load();
    if constexpr (kTraces) trace::stop_after_fork();
    reopen_after_fork();
    forget_reports_after_fork();
  }
  records_lock().unlock();
  unlock_unseen_after_fork();
  if (--current->busy == 0 && current->pending_signals != 0) run_pending_signals(*current);
}
void in_parent() {
  after_fork(false);
}
void in_child() {
  after_fork(true);
}

__attribute__((constructor(102))) void register_fork() {
  pthread_atfork(before_fork, in_parent, in_child);
}

struct Cloned {
  int (*function)(void*);
  void* argument;
};
int run_clone(void* p) {
  const Cloned c = *static_cast<Cloned*>(p);
  in_child();
  return c.function(c.argument);
}

}  // namespace

STEWARD_HOOK pid_t fork() {
  return real_fork()();
}
// The parent's memory is not lent: POSIX lets a vfork be a fork, and the child's hooks would act on
// the parent's detector.
STEWARD_HOOK pid_t vfork() {
  return real_fork()();
}
STEWARD_HOOK pid_t _Fork() {  // runs no handlers
  before_fork();
  const pid_t pid = real__Fork()();
  after_fork(pid == 0);
  return pid;
}
STEWARD_HOOK int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
  va_list rest;
  va_start(rest, argument);
  pid_t* parent = va_arg(rest, pid_t*);
  void* tls = va_arg(rest, void*);
  pid_t* child = va_arg(rest, pid_t*);
  va_end(rest);
  // With the memory shared it is a thread that libc does not know; its hooks take it in when it has
  // TLS of its own, and there is nothing to do for it otherwise.
  if ((flags & CLONE_VM) != 0) {
    return real_clone()(function, stack, flags, argument, parent, tls, child);
  }
  Cloned c{function, argument};
  before_fork();
  const int pid = real_clone()(run_clone, stack, flags, &c, parent, tls, child);
  after_fork(false);
  return pid;
}
