// Streams: the caller's buffers. A stream's own lock orders nothing that a program may count on,
// and if it did, two threads that print would seldom race.
#include <stdio.h>

#include "runtime/intercept/copy.h"
#include "runtime/intercept/descriptors.h"
#include "runtime/intercept/lock.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;
using std::size_t;

REAL(size_t, fread, void*, size_t, size_t, FILE*)
REAL(size_t, fwrite, const void*, size_t, size_t, FILE*)
REAL(char*, fgets, char*, int, FILE*)
REAL(int, fputs, const char*, FILE*)
REAL(int, puts, const char*)
REAL(ssize_t, getline, char**, size_t*, FILE*)
REAL(ssize_t, getdelim, char**, size_t*, int, FILE*)
REAL(int, fclose, FILE*)

namespace {

bool is_passage(FILE* f) {  // to another thread, perhaps: not a plain file or a terminal
  return fileno_unlocked(f) > 2;
}
void received(FILE* f) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr && is_passage(f)) after_read(*t, fileno_unlocked(f));
}
void sends(FILE* f, const void* from, size_t size, uptr pc) {
  if (ThreadState* t = interceptor_thread()) {
    reads(*t, from, size, pc);
    if (is_passage(f)) before_write(*t, fileno_unlocked(f));
  }
}
void arrived(void* to, size_t size, uptr pc) {
  if (ThreadState* t = interceptor_thread()) writes(*t, to, size, pc);
}

ssize_t line(char** to, ssize_t n, FILE* f, uptr pc) {
  if (n >= 0) {
    received(f);
    arrived(*to, static_cast<size_t>(n) + 1, pc);
  }
  return n;
}

}  // namespace

STEWARD_HOOK size_t fread(void* to, size_t size, size_t count, FILE* f) {
  const size_t n = real_fread()(to, size, count, f);
  received(f);
  arrived(to, n * size, STEWARD_CALLER);
  return n;
}
STEWARD_HOOK size_t fwrite(const void* from, size_t size, size_t count, FILE* f) {
  sends(f, from, size * count, STEWARD_CALLER);
  return real_fwrite()(from, size, count, f);
}
STEWARD_HOOK char* fgets(char* to, int size, FILE* f) {
  char* got = real_fgets()(to, size, f);
  if (got == nullptr) return got;
  received(f);
  arrived(to, plain::length(to) + 1, STEWARD_CALLER);
  return got;
}
STEWARD_HOOK int fputs(const char* s, FILE* f) {
  sends(f, s, plain::length(s) + 1, STEWARD_CALLER);
  return real_fputs()(s, f);
}
STEWARD_HOOK int puts(const char* s) {
  if (ThreadState* t = interceptor_thread()) reads(*t, s, plain::length(s) + 1, STEWARD_CALLER);
  return real_puts()(s);
}
STEWARD_HOOK ssize_t getline(char** to, size_t* size, FILE* f) {
  return line(to, real_getline()(to, size, f), f, STEWARD_CALLER);
}
STEWARD_HOOK ssize_t getdelim(char** to, size_t* size, int end, FILE* f) {
  return line(to, real_getdelim()(to, size, end, f), f, STEWARD_CALLER);
}
STEWARD_HOOK int fclose(FILE* f) {
  if (started()) before_close(interceptor_thread(), fileno_unlocked(f));
  return real_fclose()(f);
}

// A stream's lock is a lock like any other for those who take it by name.
REAL(void, flockfile, FILE*)
REAL(int, ftrylockfile, FILE*)
REAL(void, funlockfile, FILE*)
STEWARD_HOOK void flockfile(FILE* f) {
  take(f, SyncKind::Mutex, STEWARD_CALLER, [&] {
    real_flockfile()(f);
    return 0;
  });
}
STEWARD_HOOK int ftrylockfile(FILE* f) {
  return take(f, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_ftrylockfile()(f); });
}
STEWARD_HOOK void funlockfile(FILE* f) {
  give(f, STEWARD_CALLER, [&] {
    real_funlockfile()(f);
    return 0;
  });
}
