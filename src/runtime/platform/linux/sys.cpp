#include "runtime/platform/linux/sys.h"

#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

namespace steward::rt::sys {

namespace {

template <class T>
long word(T* p) {
  return reinterpret_cast<long>(p);
}

long mmap(uptr at, std::size_t bytes, int flags) {
  return call(SYS_mmap, static_cast<long>(at), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

std::size_t length(const char* s) {
  std::size_t n = 0;
  while (s[n] != '\0') ++n;
  return n;
}

}  // namespace

void* map_if_room(std::size_t bytes) {
  const long p = mmap(0, bytes, MAP_NORESERVE);
  return failed(p) ? nullptr : reinterpret_cast<void*>(p);
}

void* map(std::size_t bytes) {
  void* const p = map_if_room(bytes);
  if (p == nullptr) die("out of memory for detector state");
  return p;
}

bool map_at(uptr address, std::size_t bytes) {
  const long p = mmap(address, bytes, MAP_NORESERVE | MAP_FIXED_NOREPLACE);
  if (failed(p)) return false;
  if (static_cast<uptr>(p) != address) {  // a kernel older than the flag takes it as a hint
    unmap(reinterpret_cast<void*>(p), bytes);
    return false;
  }
  call(SYS_madvise, p, static_cast<long>(bytes), MADV_DONTDUMP);
  call(SYS_madvise, p, static_cast<long>(bytes), MADV_NOHUGEPAGE);
  return true;
}

void unmap(void* p, std::size_t bytes) {
  call(SYS_munmap, word(p), static_cast<long>(bytes));
}

void discard(uptr address, std::size_t bytes) {
  call(SYS_madvise, static_cast<long>(address), static_cast<long>(bytes), MADV_DONTNEED);
}

void populate(uptr address, std::size_t bytes) {
  constexpr long kPopulateWrite = 23;  // Linux 5.14
  call(SYS_madvise, static_cast<long>(address), static_cast<long>(bytes), kPopulateWrite);
}

int open_append(const char* path) {
  return static_cast<int>(
      call(SYS_open, word(path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
}
int open_new(const char* path) {
  return static_cast<int>(call(
      SYS_open, word(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0600));
}
int open_read(const char* path) {
  return static_cast<int>(call(SYS_open, word(path), O_RDONLY | O_CLOEXEC));
}
long read(int fd, void* to, std::size_t bytes) {
  return call(SYS_read, fd, word(to), static_cast<long>(bytes));
}
bool write_all(int fd, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const long n = call(SYS_write, fd, word(data), static_cast<long>(bytes));
    if (n == -4) continue;  // EINTR
    if (failed(n) || n == 0) return false;
    data += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}
void close(int fd) {
  call(SYS_close, fd);
}
std::uint32_t random() {
  std::uint32_t value = 0;
  call(SYS_getrandom, word(&value), sizeof value, 0);
  return value;
}
SignalsBlocked::SignalsBlocked() {
  const std::uint64_t all = ~std::uint64_t{0};
  call(SYS_rt_sigprocmask, SIG_SETMASK, word(&all), word(&before_), sizeof before_);
}
SignalsBlocked::~SignalsBlocked() {
  call(SYS_rt_sigprocmask, SIG_SETMASK, word(&before_), 0, sizeof before_);
}
void SignalsBlocked::undo(std::uint64_t before) {
  constexpr auto bit = [](int signal) { return std::uint64_t{1} << (signal - 1); };
  // These cannot be blocked, and libc keeps 32 and 33 to itself.
  constexpr std::uint64_t kOthers = bit(SIGKILL) | bit(SIGSTOP) | bit(32) | bit(33);
  std::uint64_t now = 0;
  call(SYS_rt_sigprocmask, SIG_SETMASK, 0, word(&now), sizeof now);
  if ((now | kOthers) == ~std::uint64_t{0}) call(SYS_rt_sigprocmask, SIG_SETMASK, word(&before), 0, sizeof before);
}
int pid() {
  return static_cast<int>(call(SYS_getpid));
}
int tid() {
  return static_cast<int>(call(SYS_gettid));
}
void yield() {
  call(SYS_sched_yield);
}
void exit_now(int code) {
  for (;;) call(SYS_exit_group, code);
}
void die(const char* message) {
  static const char kPrefix[] = "steward: fatal: ";
  write_all(2, kPrefix, sizeof kPrefix - 1);
  write_all(2, message, length(message));
  write_all(2, "\n", 1);
  call(SYS_kill, pid(), SIGABRT);
  exit_now(134);
}

}  // namespace steward::rt::sys
