#include "runtime/intercept/descriptors.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>

#include "runtime/mem/lock.h"
#include "runtime/shadow/layout.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/registry.h"
#include "runtime/trace/tool.h"

namespace steward::rt {
namespace {

// Clocks live at addresses: eight bytes of ours stand for one. They come round again after a
// million, two descriptors then share one.
constexpr std::size_t kClocks = 1 << 20;
constexpr std::size_t kNamed = 1 << 14;  // of those, for sockets, by hash
constexpr int kMaxFd = 1 << 20;  // what the kernel allows by default

struct Ends {
  std::uint32_t in, out;  // indices of clocks; 0: not known yet
};
SpinLock lock;          // orders changes of `table`
Ends* table = nullptr;  // entries are read and written whole
uptr clocks = 0;
std::uint32_t next = kNamed + 1;

bool ready() {
  if (__atomic_load_n(&table, __ATOMIC_ACQUIRE) != nullptr) return true;
  const Locked guard(lock);
  if (table != nullptr) return true;
  clocks = reinterpret_cast<uptr>(sys::map(kClocks * 8));
  cover(clocks, kClocks * 8);
  __atomic_store_n(&table, static_cast<Ends*>(sys::map(kMaxFd * sizeof(Ends))), __ATOMIC_RELEASE);
  return true;
}

bool in_table(int fd) {
  return fd >= 0 && fd < kMaxFd && ready();
}
Ends get(int fd) {
  const std::uint64_t both =
      __atomic_load_n(reinterpret_cast<std::uint64_t*>(&table[fd]), __ATOMIC_ACQUIRE);
  return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
}
void set(int fd, Ends e) {
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(&table[fd]), std::uint64_t{e.out} << 32 | e.in,
                   __ATOMIC_RELEASE);
}
std::uint32_t new_clock() {
  const std::uint32_t n = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
  return static_cast<std::uint32_t>(kNamed + 1 + n % (kClocks - kNamed - 1));
}
uptr clock(std::uint32_t index) {
  return clocks + index * uptr{8};
}

// A number for an address: the port alone, since one end may call a host by another name.
std::uint64_t number_of(const sockaddr* a, unsigned size) {
  std::uint64_t h = a->sa_family == AF_INET6 ? AF_INET : a->sa_family;
  if (a->sa_family == AF_INET && size >= sizeof(sockaddr_in)) {
    return h << 32 | reinterpret_cast<const sockaddr_in*>(a)->sin_port;
  }
  if (a->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    return h << 32 | reinterpret_cast<const sockaddr_in6*>(a)->sin6_port;
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(a);
  for (unsigned i = sizeof(sa_family_t); i < size; ++i) {
    if (bytes[i] == 0 && i > sizeof(sa_family_t)) break;  // a path ends; an abstract name begins so
    h = (h ^ bytes[i]) * 0x100'0000'01b3u;
  }
  return h;
}
std::uint32_t named(std::uint64_t from, std::uint64_t to) {
  std::uint64_t h = (from * 0x9e37'79b9'7f4a'7c15u ^ to) * 0xff51'afd7'ed55'8ccdu;
  return static_cast<std::uint32_t>(1 + (h >> 32) % kNamed);
}

std::uint64_t number(int id) {
  return static_cast<std::uint64_t>(id);
}

struct Address {
  alignas(8) unsigned char data[sizeof(sockaddr_storage)];
  unsigned size = sizeof(sockaddr_storage);
  bool read(long call, int fd) {
    const long r = sys::call(call, fd, reinterpret_cast<long>(data), reinterpret_cast<long>(&size));
    if (r != 0) size = 0;
    return r == 0;
  }
  std::uint64_t number() const { return number_of(reinterpret_cast<const sockaddr*>(data), size); }
};

std::uint64_t own_number(int fd) {
  Address own;
  return own.read(SYS_getsockname, fd) ? own.number() : 0;
}

struct stat facts_of(int fd) {
  struct stat s = {};
  sys::call(SYS_fstat, fd, reinterpret_cast<long>(&s));
  return s;
}
// What is written to one descriptor of it is read from another: a pipe with a name, or a queue.
bool passes_on(int fd, const struct stat& s) {
  if (S_ISFIFO(s.st_mode)) return true;
  constexpr long kQueues = 0x19800202;  // the kernel's number for their file system
  struct statfs f;
  return S_ISREG(s.st_mode) && sys::call(SYS_fstatfs, fd, reinterpret_cast<long>(&f)) == 0 &&
         f.f_type == kQueues;
}
bool is_datagram(int fd) {
  int type = 0;
  unsigned size = sizeof type;
  sys::call(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, reinterpret_cast<long>(&type),
            reinterpret_cast<long>(&size));
  return type == SOCK_DGRAM;
}

// The two ends of a descriptor, found out at its first use.
Ends ends(int fd) {
  Ends e = get(fd);
  if (e.in != 0) return e;
  bool known = true;
  const struct stat facts = facts_of(fd);
  if (S_ISSOCK(facts.st_mode)) {
    const std::uint64_t own = own_number(fd);
    Address peer;
    const bool connected = peer.read(SYS_getpeername, fd);
    if (is_datagram(fd)) {
      e = {named(0, own), connected ? named(0, peer.number()) : named(1, own)};
      known = false;  // it may be bound or connected later
    } else {
      e = {named(peer.number(), own), named(own, peer.number())};
      known = connected;
    }
  } else if (passes_on(fd, facts)) {
    e.in = e.out = named(facts.st_dev, facts.st_ino);
  } else {
    e.in = e.out = new_clock();
  }
  if (!known) return e;
  const Locked guard(lock);
  const Ends other = get(fd);  // two threads may ask first
  if (other.in != 0) return other;
  set(fd, e);
  return e;
}

}  // namespace

namespace {
void note_call([[maybe_unused]] ThreadState& t) {
  if constexpr (kTraces) trace::event(t, trace::Op::SystemCall, {});
}
}  // namespace

void before_write(ThreadState& t, int fd) {
  note_call(t);
  if (in_table(fd)) release_merge(t, clock(ends(fd).out));
}
void after_read(ThreadState& t, int fd) {
  note_call(t);
  if (in_table(fd)) acquire(t, clock(ends(fd).in));
}
void before_send_to(ThreadState& t, int fd, const void* to, unsigned size) {
  if (to == nullptr || size < sizeof(sa_family_t)) return before_write(t, fd);
  if (ready()) {
    release_merge(t, clock(named(0, number_of(static_cast<const sockaddr*>(to), size))));
  }
}
void before_post(ThreadState& t, SystemV what, int id) {
  note_call(t);
  if (ready()) release_merge(t, clock(named(static_cast<std::uint64_t>(what), number(id))));
}
void after_take(ThreadState& t, SystemV what, int id) {
  note_call(t);
  if (ready()) acquire(t, clock(named(static_cast<std::uint64_t>(what), number(id))));
}
void before_connect(ThreadState& t, int fd, const void* to, unsigned size) {
  if (in_table(fd)) set(fd, {});
  before_send_to(t, fd, to, size);
}
void after_accept(ThreadState& t, int fd) {
  note_call(t);
  if (ready()) acquire(t, clock(named(0, own_number(fd))));
}

void is_opened(int fd) {
  if (kTraces && started() && current->info != nullptr) note_call(*current);
  if (in_table(fd)) set(fd, {});
}
void is_pair(int read_end, int write_end) {
  if (!in_table(read_end) || !in_table(write_end)) return;
  const std::uint32_t c = new_clock();
  set(read_end, {c, c});
  set(write_end, {c, c});
}
void are_peers(int a, int b) {
  if (!in_table(a) || !in_table(b)) return;
  const std::uint32_t there = new_clock(), back = new_clock();
  set(a, {back, there});
  set(b, {there, back});
}
void is_duplicate(int of, int fd) {
  if (in_table(of) && in_table(fd)) set(fd, ends(of));
}
void before_close(ThreadState* t, int fd) {
  if (t != nullptr) note_call(*t);
  if (!in_table(fd)) return;
  const Ends e = get(fd);  // never used: nobody waits at the other end of what we know
  if (e.out != 0 && t != nullptr) release_merge(*t, clock(e.out));
  set(fd, {});
}

}  // namespace steward::rt
