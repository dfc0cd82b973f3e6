// Message queues, POSIX's and System V's, and System V's semaphores. What is received comes after
// what was sent to the same queue; who takes from a set of semaphores, after who gave to any of it.
#include <mqueue.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "runtime/intercept/descriptors.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"
#include "runtime/sample/idle.h"

using namespace steward::rt;
using std::size_t;

REAL(mqd_t, mq_open, const char*, int, ...)
REAL(int, mq_close, mqd_t)
REAL(int, mq_send, mqd_t, const char*, size_t, unsigned)
REAL(int, mq_timedsend, mqd_t, const char*, size_t, unsigned, const timespec*)
REAL(ssize_t, mq_receive, mqd_t, char*, size_t, unsigned*)
REAL(ssize_t, mq_timedreceive, mqd_t, char*, size_t, unsigned*, const timespec*)
REAL(int, msgsnd, int, const void*, size_t, int)
REAL(ssize_t, msgrcv, int, void*, size_t, long, int)
REAL(int, semop, int, sembuf*, size_t)
REAL(int, semtimedop, int, sembuf*, size_t, const timespec*)
REAL(int, semctl, int, int, int, ...)

namespace {

// A full queue is waited for as an empty one is; nothing is received by that.
template <class Send>
int send(mqd_t queue, const char* from, size_t size, uptr pc, Send real) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) {
    reads(*t, from, size, pc);
    before_write(*t, queue);
  }
  return idly(t, real, nothing_received, if_too_late);
}
template <class Receive>
ssize_t receive(mqd_t queue, char* to, unsigned* priority, uptr pc, Receive real) {
  ThreadState* t = interceptor_thread();
  const ssize_t n = idly(
      t, real,
      [&](auto got) {
        if (got >= 0) after_read(*t, queue);
      },
      if_too_late);
  if (n < 0 || t == nullptr) return n;
  writes(*t, to, static_cast<size_t>(n), pc);
  if (priority != nullptr) writes(*t, priority, sizeof *priority, pc);
  return n;
}

// All of the operations are done, or none. The kernel may refuse to look at so many (500, if nobody
// has set it otherwise), or at none: then there need be no such array, and they may be of any kind.
template <class Operate>
int operate(int set, const sembuf* all, size_t count, uptr pc, Operate real) {
  constexpr size_t kMost = 500;
  ThreadState* t = interceptor_thread();
  const bool is_read = t != nullptr && all != nullptr && count <= kMost;
  bool gives = t != nullptr && count > kMost, takes = gives;
  for (size_t i = 0; is_read && i < count; ++i) {
    (all[i].sem_op > 0 ? gives : takes) = true;
  }
  if (is_read) reads(*t, all, count * sizeof *all, pc);
  if (gives) before_post(*t, SystemV::Semaphores, set);
  return idly(
      t, real,
      [&](int result) {
        if (result == 0 && takes) after_take(*t, SystemV::Semaphores, set);
      },
      if_too_late);
}

}  // namespace

STEWARD_HOOK_AS(mqd_t, mq_open, (const char* name, int flags, ...)) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  mq_attr* const attributes = va_arg(rest, mq_attr*);
  va_end(rest);
  const mqd_t queue = real_mq_open()(name, flags, mode, attributes);
  if (queue >= 0 && started()) is_opened(queue);
  return queue;
}
STEWARD_HOOK int mq_close(mqd_t queue) {
  if (started()) before_close(interceptor_thread(), queue);
  return real_mq_close()(queue);
}
STEWARD_HOOK int mq_send(mqd_t queue, const char* from, size_t size, unsigned priority) {
  return send(queue, from, size, STEWARD_CALLER,
              [&] { return real_mq_send()(queue, from, size, priority); });
}
STEWARD_HOOK int mq_timedsend(mqd_t queue, const char* from, size_t size, unsigned priority,
                              const timespec* until) {
  return send(queue, from, size, STEWARD_CALLER,
              [&] { return real_mq_timedsend()(queue, from, size, priority, until); });
}
STEWARD_HOOK ssize_t mq_receive(mqd_t queue, char* to, size_t size, unsigned* priority) {
  return receive(queue, to, priority, STEWARD_CALLER,
                 [&] { return real_mq_receive()(queue, to, size, priority); });
}
STEWARD_HOOK ssize_t mq_timedreceive(mqd_t queue, char* to, size_t size, unsigned* priority,
                                     const timespec* until) {
  return receive(queue, to, priority, STEWARD_CALLER,
                 [&] { return real_mq_timedreceive()(queue, to, size, priority, until); });
}

// The text of a message follows its type, a long.
STEWARD_HOOK int msgsnd(int queue, const void* message, size_t size, int flags) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) {
    reads(*t, message, sizeof(long) + size, STEWARD_CALLER);
    before_post(*t, SystemV::Queue, queue);
  }
  return idly(
      t, [&] { return real_msgsnd()(queue, message, size, flags); }, nothing_received,
      never_by_time);
}
STEWARD_HOOK ssize_t msgrcv(int queue, void* message, size_t size, long type, int flags) {
  ThreadState* t = interceptor_thread();
  const ssize_t n = idly(
      t, [&] { return real_msgrcv()(queue, message, size, type, flags); },
      [&](auto got) {
        if (got >= 0) after_take(*t, SystemV::Queue, queue);
      },
      never_by_time);
  if (n >= 0 && t != nullptr) {
    writes(*t, message, sizeof(long) + static_cast<size_t>(n), STEWARD_CALLER);
  }
  return n;
}

STEWARD_HOOK int semop(int set, sembuf* all, size_t count) {
  return operate(set, all, count, STEWARD_CALLER, [&] { return real_semop()(set, all, count); });
}
STEWARD_HOOK int semtimedop(int set, sembuf* all, size_t count, const timespec* timeout) {
  return operate(set, all, count, STEWARD_CALLER,
                 [&] { return real_semtimedop()(set, all, count, timeout); });
}
// To set a value may let somebody go.
STEWARD_HOOK_AS(int, semctl, (int set, int number, int command, ...)) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  ThreadState* t = interceptor_thread();
  if (t != nullptr && (command == SETVAL || command == SETALL)) {
    before_post(*t, SystemV::Semaphores, set);
  }
  return real_semctl()(set, number, command, argument);
}
