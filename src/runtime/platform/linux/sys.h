// The kernel, without libc: nothing here is interposed, sets errno or allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/syscall.h>

namespace steward::rt {

using uptr = std::uintptr_t;

namespace sys {

inline long call(long n, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline bool failed(long result) {
  return result < 0 && result > -4096;
}

void* map(std::size_t bytes);                  // zeroed; dies with a message when there is none
void* map_if_room(std::size_t bytes);          // the same; null when there is none
bool map_at(uptr address, std::size_t bytes);  // reserved, not committed; false if taken
void unmap(void* p, std::size_t bytes);
void discard(uptr address, std::size_t bytes);   // whole pages go back, and read as zero after
void populate(uptr address, std::size_t bytes);  // whole pages that will be written; if it can
int open_append(const char* path);               // created if absent; negative errno on failure
int open_new(const char* path);                  // the same; fails if there is anything already
int open_read(const char* path);
long read(int fd, void* to, std::size_t bytes);
bool write_all(int fd, const char* data, std::size_t bytes);
void close(int fd);
std::uint32_t random();  // for names nobody can guess
class SignalsBlocked {   // of the calling thread
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  std::uint64_t before() const { return before_; }
  // In a thread that has inherited this: as before. Not if its attributes have asked for others.
  static void undo(std::uint64_t before);

 private:
  std::uint64_t before_ = 0;
};
int pid();
int tid();
void yield();
[[noreturn]] void exit_now(int code);
[[noreturn]] void die(const char* message);  // to stderr, then abort

}  // namespace sys
}  // namespace steward::rt
