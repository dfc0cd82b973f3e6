// Sockets: what they carry, and whom connecting and accepting order.
#include <sys/socket.h>

#include "runtime/intercept/transfer.h"

using namespace steward::rt;
using std::size_t;

REAL(ssize_t, recv, int, void*, size_t, int)
REAL(ssize_t, recvfrom, int, void*, size_t, int, sockaddr*, socklen_t*)
REAL(ssize_t, recvmsg, int, msghdr*, int)
REAL(int, recvmmsg, int, mmsghdr*, unsigned, int, timespec*)
REAL(ssize_t, send, int, const void*, size_t, int)
REAL(ssize_t, sendto, int, const void*, size_t, int, const sockaddr*, socklen_t)
REAL(ssize_t, sendmsg, int, const msghdr*, int)
REAL(int, sendmmsg, int, mmsghdr*, unsigned, int)
REAL(int, connect, int, const sockaddr*, socklen_t)
REAL(int, accept, int, sockaddr*, socklen_t*)
REAL(int, accept4, int, sockaddr*, socklen_t*, int)
REAL(int, socket, int, int, int)
REAL(int, socketpair, int, int, int, int*)
REAL(int, shutdown, int, int)

STEWARD_HOOK ssize_t recv(int fd, void* to, size_t size, int flags) {
  return reading(fd, to, size, STEWARD_CALLER, [&] { return real_recv()(fd, to, size, flags); });
}
STEWARD_HOOK ssize_t recvfrom(int fd, void* to, size_t size, int flags, sockaddr* from,
                              socklen_t* from_size) {
  return reading(fd, to, size, STEWARD_CALLER,
                 [&] { return real_recvfrom()(fd, to, size, flags, from, from_size); });
}
namespace {
// Descriptors may come with a message; their numbers are new here.
void take_descriptors(msghdr* m) {
  for (cmsghdr* c = CMSG_FIRSTHDR(m); c != nullptr; c = CMSG_NXTHDR(m, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) opened(reinterpret_cast<int*>(CMSG_DATA(c))[i]);
  }
}
void sends(ThreadState& t, int fd, const msghdr& m, uptr pc) {
  gathered(t, m.msg_iov, m.msg_iovlen, pc);
  before_send_to(t, fd, m.msg_name, m.msg_namelen);
}
}  // namespace
STEWARD_HOOK ssize_t recvmsg(int fd, msghdr* m, int flags) {
  return scattering(fd, m->msg_iov, m->msg_iovlen, STEWARD_CALLER, [&] {
    const ssize_t n = real_recvmsg()(fd, m, flags);
    if (n >= 0) take_descriptors(m);
    return n;
  });
}
STEWARD_HOOK int recvmmsg(int fd, mmsghdr* all, unsigned most, int flags, timespec* timeout) {
  ThreadState* t = interceptor_thread();
  const int n = read_idly(t, fd, [&] { return real_recvmmsg()(fd, all, most, flags, timeout); });
  for (int i = 0; t != nullptr && i < n; ++i) {
    msghdr& m = all[i].msg_hdr;
    take_descriptors(&m);
    scattered(*t, m.msg_iov, m.msg_iovlen, all[i].msg_len, STEWARD_CALLER);
    writes(*t, &all[i].msg_len, sizeof all[i].msg_len, STEWARD_CALLER);
  }
  return n;
}
STEWARD_HOOK ssize_t send(int fd, const void* from, size_t size, int flags) {
  return writing(fd, from, size, STEWARD_CALLER,
                 [&] { return real_send()(fd, from, size, flags); });
}
STEWARD_HOOK ssize_t sendto(int fd, const void* from, size_t size, int flags, const sockaddr* to,
                            socklen_t to_size) {
  if (ThreadState* t = interceptor_thread()) {
    reads(*t, from, size, STEWARD_CALLER);
    before_send_to(*t, fd, to, to_size);
  }
  return real_sendto()(fd, from, size, flags, to, to_size);
}
STEWARD_HOOK ssize_t sendmsg(int fd, const msghdr* m, int flags) {
  if (ThreadState* t = interceptor_thread()) sends(*t, fd, *m, STEWARD_CALLER);
  return real_sendmsg()(fd, m, flags);
}
STEWARD_HOOK int sendmmsg(int fd, mmsghdr* all, unsigned count, int flags) {
  ThreadState* t = interceptor_thread();
  for (unsigned i = 0; t != nullptr && i < count; ++i) {
    sends(*t, fd, all[i].msg_hdr, STEWARD_CALLER);
  }
  return real_sendmmsg()(fd, all, count, flags);
}
STEWARD_HOOK_AS(int, connect, (int fd, const sockaddr* to, socklen_t size)) {
  if (ThreadState* t = interceptor_thread()) before_connect(*t, fd, to, size);
  return real_connect()(fd, to, size);
}
namespace {
template <class Accept>
int accept_idly(int fd, Accept real) {
  ThreadState* t = interceptor_thread();
  return idly(
      t, [&] { return opened(real()); },
      [&](int made) {
        if (made >= 0) after_accept(*t, fd);
      },
      if_too_late);
}
}  // namespace
STEWARD_HOOK_AS(int, accept, (int fd, sockaddr* from, socklen_t* size)) {
  return accept_idly(fd, [&] { return real_accept()(fd, from, size); });
}
STEWARD_HOOK_AS(int, accept4, (int fd, sockaddr* from, socklen_t* size, int flags)) {
  return accept_idly(fd, [&] { return real_accept4()(fd, from, size, flags); });
}
STEWARD_HOOK int socket(int domain, int type, int protocol) {
  return opened(real_socket()(domain, type, protocol));
}
STEWARD_HOOK int socketpair(int domain, int type, int protocol, int* fds) {
  const int result = real_socketpair()(domain, type, protocol, fds);
  if (result == 0 && started()) are_peers(fds[0], fds[1]);
  return result;
}
STEWARD_HOOK int shutdown(int fd, int how) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr && how != SHUT_RD) before_write(*t, fd);
  return real_shutdown()(fd, how);
}
