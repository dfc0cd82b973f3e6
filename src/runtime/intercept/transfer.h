// What a call that reads or writes a descriptor is: its buffers are read and written, and what
// passes through the descriptor is ordered (intercept/descriptors.h).
#pragma once

#include <sys/uio.h>

#include "runtime/intercept/descriptors.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"
#include "runtime/sample/idle.h"

namespace steward::rt {

// What it may wait for: something that comes through the descriptor.
template <class Wait>
auto read_idly(ThreadState* t, int fd, Wait real) {
  return idly(
      t, real,
      [&](auto n) {
        if (n >= 0) after_read(*t, fd);
      },
      if_too_late);
}

// Bytes that arrived in one buffer. MSG_TRUNC asks how many they would be if there were room.
template <class Read>
ssize_t reading(int fd, void* to, std::size_t size, uptr pc, Read real) {
  ThreadState* t = interceptor_thread();
  const ssize_t n = read_idly(t, fd, real);
  if (n < 0 || t == nullptr) return n;
  const auto came = static_cast<std::size_t>(n);
  writes(*t, to, came < size ? came : size, pc);
  return n;
}
// ... in several, one after the other.
inline void scattered(ThreadState& t, const iovec* to, std::size_t count, std::size_t left,
                      uptr pc) {
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    const std::size_t part = to[i].iov_len < left ? to[i].iov_len : left;
    writes(t, to[i].iov_base, part, pc);
    left -= part;
  }
}
template <class Read>
ssize_t scattering(int fd, const iovec* to, std::size_t count, uptr pc, Read real) {
  ThreadState* t = interceptor_thread();
  const ssize_t n = read_idly(t, fd, real);
  if (n >= 0 && t != nullptr) scattered(*t, to, count, static_cast<std::size_t>(n), pc);
  return n;
}
template <class Write>
ssize_t writing(int fd, const void* from, std::size_t size, uptr pc, Write real) {
  if (ThreadState* t = interceptor_thread()) {
    reads(*t, from, size, pc);
    before_write(*t, fd);
  }
  return real();
}
inline void gathered(ThreadState& t, const iovec* from, std::size_t count, uptr pc) {
  for (std::size_t i = 0; i < count; ++i) reads(t, from[i].iov_base, from[i].iov_len, pc);
}
template <class Write>
ssize_t gathering(int fd, const iovec* from, std::size_t count, uptr pc, Write real) {
  if (ThreadState* t = interceptor_thread()) {
    gathered(*t, from, count, pc);
    before_write(*t, fd);
  }
  return real();
}
inline std::size_t count_of(int n) {
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

inline int opened(int fd) {
  if (fd >= 0 && started()) is_opened(fd);
  return fd;
}

}  // namespace steward::rt
