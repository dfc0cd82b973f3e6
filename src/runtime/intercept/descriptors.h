// What is read from a descriptor comes after what was written to its other end.
//
// Every descriptor has two clocks: `out`, where a write publishes, and `in`, which a read takes.
//   pipe, socketpair   the in of one end is the out of the other
//   eventfd, files     one for both; files by open description, so that duplicates share it
//   sockets            found by port numbers (or path): out of a stream is (own, peer), in is
//                      (peer, own); of a datagram, the destination and the own address. Two pairs
//                      with the same numbers share a clock, which can hide a race, never make one
//                      up.
//   connect            publishes to the destination, accept takes from the own address
//   named pipes and    one for both, by their inode: each who opens one has a descriptor of his own
//   message queues
//   epoll_ctl          publishes to the epoll descriptor, epoll_wait takes
// Closing an end publishes as a write does: the other end may read that there is no more. Positions
// and locks of files order nothing, nor does stdio: two threads that print are not ordered.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

void before_write(ThreadState& t, int fd);  // or send
void after_read(ThreadState& t, int fd);    // or recv
// System V's queues and sets of semaphores have numbers of their own.
enum class SystemV : std::uint32_t { Queue = 0x10001, Semaphores = 0x10002 };
void before_post(ThreadState& t, SystemV what, int id);
void after_take(ThreadState& t, SystemV what, int id);
void before_connect(ThreadState& t, int fd, const void* to, unsigned size);
void before_send_to(ThreadState& t, int fd, const void* to, unsigned size);  // `to` null: the peer
void after_accept(ThreadState& t, int fd);

void is_opened(int fd);  // a new descriptor: whatever its number meant before is over
void is_pair(int read_end, int write_end);
void are_peers(int a, int b);
void is_duplicate(int of, int fd);
void before_close(ThreadState* t, int fd);

}  // namespace steward::rt
