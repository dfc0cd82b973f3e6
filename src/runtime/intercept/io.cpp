// Input and output through descriptors; sockets.cpp has those of sockets.
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/intercept/transfer.h"

using namespace steward::rt;
using std::size_t;

REAL(ssize_t, read, int, void*, size_t)
REAL(ssize_t, pread, int, void*, size_t, off_t)
REAL(ssize_t, write, int, const void*, size_t)
REAL(ssize_t, pwrite, int, const void*, size_t, off_t)
REAL(ssize_t, readv, int, const iovec*, int)
REAL(ssize_t, preadv, int, const iovec*, int, off_t)
REAL(ssize_t, preadv2, int, const iovec*, int, off_t, int)
REAL(ssize_t, writev, int, const iovec*, int)
REAL(ssize_t, pwritev, int, const iovec*, int, off_t)
REAL(ssize_t, pwritev2, int, const iovec*, int, off_t, int)
REAL(ssize_t, sendfile, int, int, off_t*, size_t)
REAL(int, pipe, int*)
REAL(int, pipe2, int*, int)
REAL(int, eventfd, unsigned, int)
REAL(int, eventfd_read, int, eventfd_t*)
REAL(int, eventfd_write, int, eventfd_t)
REAL(int, open, const char*, int, ...)
REAL(int, openat, int, const char*, int, ...)
REAL(int, creat, const char*, mode_t)
REAL(int, dup, int)
REAL(int, dup2, int, int)
REAL(int, dup3, int, int, int)
REAL(int, fcntl, int, int, ...)
REAL(int, fcntl64, int, int, ...)
REAL(int, close, int)
REAL(int, epoll_create, int)
REAL(int, epoll_create1, int)
REAL(int, epoll_ctl, int, int, int, epoll_event*)
REAL(int, epoll_wait, int, epoll_event*, int, int)
REAL(int, epoll_pwait, int, epoll_event*, int, int, const sigset_t*)
REAL(int, epoll_pwait2, int, epoll_event*, int, const timespec*, const sigset_t*)

STEWARD_HOOK ssize_t read(int fd, void* to, size_t size) {
  return reading(fd, to, size, STEWARD_CALLER, [&] { return real_read()(fd, to, size); });
}
STEWARD_HOOK ssize_t pread(int fd, void* to, size_t size, off_t at) {
  return reading(fd, to, size, STEWARD_CALLER, [&] { return real_pread()(fd, to, size, at); });
}
STEWARD_HOOK ssize_t pread64(int fd, void* to, size_t size, off64_t at) {
  return reading(fd, to, size, STEWARD_CALLER, [&] { return real_pread()(fd, to, size, at); });
}
STEWARD_HOOK ssize_t write(int fd, const void* from, size_t size) {
  return writing(fd, from, size, STEWARD_CALLER, [&] { return real_write()(fd, from, size); });
}
STEWARD_HOOK ssize_t pwrite(int fd, const void* from, size_t size, off_t at) {
  return writing(fd, from, size, STEWARD_CALLER, [&] { return real_pwrite()(fd, from, size, at); });
}
STEWARD_HOOK ssize_t pwrite64(int fd, const void* from, size_t size, off64_t at) {
  return writing(fd, from, size, STEWARD_CALLER, [&] { return real_pwrite()(fd, from, size, at); });
}
STEWARD_HOOK ssize_t readv(int fd, const iovec* to, int n) {
  return scattering(fd, to, count_of(n), STEWARD_CALLER, [&] { return real_readv()(fd, to, n); });
}
STEWARD_HOOK ssize_t preadv(int fd, const iovec* to, int n, off_t at) {
  return scattering(fd, to, count_of(n), STEWARD_CALLER,
                    [&] { return real_preadv()(fd, to, n, at); });
}
STEWARD_HOOK ssize_t preadv64(int fd, const iovec* to, int n, off64_t at) {
  return scattering(fd, to, count_of(n), STEWARD_CALLER,
                    [&] { return real_preadv()(fd, to, n, at); });
}
STEWARD_HOOK ssize_t preadv2(int fd, const iovec* to, int n, off_t at, int flags) {
  return scattering(fd, to, count_of(n), STEWARD_CALLER,
                    [&] { return real_preadv2()(fd, to, n, at, flags); });
}
STEWARD_HOOK ssize_t preadv64v2(int fd, const iovec* to, int n, off64_t at, int flags) {
  return scattering(fd, to, count_of(n), STEWARD_CALLER,
                    [&] { return real_preadv2()(fd, to, n, at, flags); });
}
STEWARD_HOOK ssize_t writev(int fd, const iovec* from, int n) {
  return gathering(fd, from, count_of(n), STEWARD_CALLER,
                   [&] { return real_writev()(fd, from, n); });
}
STEWARD_HOOK ssize_t pwritev(int fd, const iovec* from, int n, off_t at) {
  return gathering(fd, from, count_of(n), STEWARD_CALLER,
                   [&] { return real_pwritev()(fd, from, n, at); });
}
STEWARD_HOOK ssize_t pwritev64(int fd, const iovec* from, int n, off64_t at) {
  return gathering(fd, from, count_of(n), STEWARD_CALLER,
                   [&] { return real_pwritev()(fd, from, n, at); });
}
STEWARD_HOOK ssize_t pwritev2(int fd, const iovec* from, int n, off_t at, int flags) {
  return gathering(fd, from, count_of(n), STEWARD_CALLER,
                   [&] { return real_pwritev2()(fd, from, n, at, flags); });
}
STEWARD_HOOK ssize_t pwritev64v2(int fd, const iovec* from, int n, off64_t at, int flags) {
  return gathering(fd, from, count_of(n), STEWARD_CALLER,
                   [&] { return real_pwritev2()(fd, from, n, at, flags); });
}

STEWARD_HOOK ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  if (ThreadState* t = interceptor_thread()) before_write(*t, to);
  return real_sendfile()(to, from, at, size);
}
STEWARD_HOOK ssize_t sendfile64(int to, int from, off64_t* at, size_t size) {
  if (ThreadState* t = interceptor_thread()) before_write(*t, to);
  return real_sendfile()(to, from, at, size);
}
STEWARD_HOOK int pipe(int* fds) {
  const int result = real_pipe()(fds);
  if (result == 0 && started()) is_pair(fds[0], fds[1]);
  return result;
}
STEWARD_HOOK int pipe2(int* fds, int flags) {
  const int result = real_pipe2()(fds, flags);
  if (result == 0 && started()) is_pair(fds[0], fds[1]);
  return result;
}
STEWARD_HOOK int eventfd(unsigned value, int flags) {
  return opened(real_eventfd()(value, flags));
}
STEWARD_HOOK int eventfd_read(int fd, eventfd_t* value) {
  const int result = real_eventfd_read()(fd, value);
  ThreadState* t = interceptor_thread();
  if (result == 0 && t != nullptr) {
    after_read(*t, fd);
    writes(*t, value, sizeof *value, STEWARD_CALLER);
  }
  return result;
}
STEWARD_HOOK int eventfd_write(int fd, eventfd_t value) {
  if (ThreadState* t = interceptor_thread()) before_write(*t, fd);
  return real_eventfd_write()(fd, value);
}

namespace {
bool has_mode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}
}  // namespace
#define MODE(last)               \
  mode_t mode = 0;               \
  if (has_mode(flags)) {         \
    va_list rest;                \
    va_start(rest, last);        \
    mode = va_arg(rest, mode_t); \
    va_end(rest);                \
  }
STEWARD_HOOK_AS(int, open, (const char* path, int flags, ...)) {
  MODE(flags)
  return opened(real_open()(path, flags, mode));
}
STEWARD_HOOK_AS(int, open64, (const char* path, int flags, ...)) {
  MODE(flags)
  return opened(real_open()(path, flags | O_LARGEFILE, mode));
}
STEWARD_HOOK_AS(int, openat, (int at, const char* path, int flags, ...)) {
  MODE(flags)
  return opened(real_openat()(at, path, flags, mode));
}
STEWARD_HOOK_AS(int, openat64, (int at, const char* path, int flags, ...)) {
  MODE(flags)
  return opened(real_openat()(at, path, flags | O_LARGEFILE, mode));
}
#undef MODE
STEWARD_HOOK_AS(int, creat, (const char* path, mode_t mode)) {
  return opened(real_creat()(path, mode));
}
STEWARD_HOOK int dup(int fd) {
  const int made = real_dup()(fd);
  if (made >= 0 && started()) is_duplicate(fd, made);
  return made;
}
STEWARD_HOOK int dup2(int fd, int as) {
  const int made = real_dup2()(fd, as);
  if (made >= 0 && made != fd && started()) is_duplicate(fd, made);
  return made;
}
STEWARD_HOOK int dup3(int fd, int as, int flags) {
  const int made = real_dup3()(fd, as, flags);
  if (made >= 0 && started()) is_duplicate(fd, made);
  return made;
}
namespace {
int control(int fd, int command, int result) {
  if (result >= 0 && started() && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {
    is_duplicate(fd, result);
  }
  return result;
}
}  // namespace
STEWARD_HOOK_AS(int, fcntl, (int fd, int command, ...)) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return control(fd, command, real_fcntl()(fd, command, argument));
}
STEWARD_HOOK_AS(int, fcntl64, (int fd, int command, ...)) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return control(fd, command, real_fcntl64()(fd, command, argument));
}
STEWARD_HOOK int close(int fd) {
  if (started()) before_close(interceptor_thread(), fd);
  return real_close()(fd);
}

STEWARD_HOOK int epoll_create(int size) {
  return opened(real_epoll_create()(size));
}
STEWARD_HOOK int epoll_create1(int flags) {
  return opened(real_epoll_create1()(flags));
}
STEWARD_HOOK int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
  if (ThreadState* t = interceptor_thread()) {
    if (event != nullptr) reads(*t, event, sizeof *event, STEWARD_CALLER);
    before_write(*t, epoll);
  }
  return real_epoll_ctl()(epoll, operation, fd, event);
}
namespace {
template <class Wait>
int wait_for_events(int epoll, epoll_event* events, uptr pc, Wait real) {
  ThreadState* t = interceptor_thread();
  const int n = idly(
      t, real,
      [&](int some) {
        if (some > 0) after_read(*t, epoll);
      },
      if_none);
  if (n > 0 && t != nullptr) writes(*t, events, static_cast<size_t>(n) * sizeof *events, pc);
  return n;
}
}  // namespace
STEWARD_HOOK int epoll_wait(int epoll, epoll_event* events, int size, int timeout) {
  return wait_for_events(epoll, events, STEWARD_CALLER,
                         [&] { return real_epoll_wait()(epoll, events, size, timeout); });
}
STEWARD_HOOK int epoll_pwait(int epoll, epoll_event* events, int size, int timeout,
                             const sigset_t* mask) {
  return wait_for_events(epoll, events, STEWARD_CALLER,
                         [&] { return real_epoll_pwait()(epoll, events, size, timeout, mask); });
}
STEWARD_HOOK int epoll_pwait2(int epoll, epoll_event* events, int size, const timespec* timeout,
                              const sigset_t* mask) {
  return wait_for_events(epoll, events, STEWARD_CALLER,
                         [&] { return real_epoll_pwait2()(epoll, events, size, timeout, mask); });
}
