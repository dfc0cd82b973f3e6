// Blocks of bytes: memcpy and kin. The ranges are those that the C standard lets a caller count on:
// memcpy, memset and memcmp touch all n bytes; memchr reads as if in sequence and stops at its
// match.
#include "runtime/intercept/copy.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"
#include "runtime/lockset/discipline.h"

using namespace steward::rt;
using std::size_t;

REAL(void*, memchr, const void*, int, size_t)
REAL(void*, memrchr, const void*, int, size_t)
REAL(void*, rawmemchr, const void*, int)
REAL(void*, memmem, const void*, size_t, const void*, size_t)
REAL(void*, memccpy, void*, const void*, int, size_t)
REAL(void*, __memcpy_chk, void*, const void*, size_t, size_t)
REAL(void*, __memmove_chk, void*, const void*, size_t, size_t)
REAL(void*, __mempcpy_chk, void*, const void*, size_t, size_t)
REAL(void*, __memset_chk, void*, int, size_t, size_t)

namespace {

void copies(void* to, const void* from, size_t n, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    reads(*t, from, n, pc);
    writes(*t, to, n, pc);
    if constexpr (kLockset) discipline::copied(*t, address(from), address(to), n);
  }
}
void fills(void* to, size_t n, uptr pc) {
  if (ThreadState* t = checking_thread()) writes(*t, to, n, pc);
}
void compares(const void* a, const void* b, size_t n, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    reads(*t, a, n, pc);
    reads(*t, b, n, pc);
  }
}
size_t distance(const void* from, const void* to) {
  return address(to) - address(from);
}

}  // namespace

STEWARD_HOOK_AS(void*, memcpy, (void* to, const void* from, size_t n)) {
  if (checks_are_off()) return plain::copy(to, from, n);
  copies(to, from, n, STEWARD_CALLER);
  return plain::copy(to, from, n);
}
STEWARD_HOOK_AS(void*, memmove, (void* to, const void* from, size_t n)) {
  if (checks_are_off()) return plain::move(to, from, n);
  copies(to, from, n, STEWARD_CALLER);
  return plain::move(to, from, n);
}
STEWARD_HOOK_AS(void*, mempcpy, (void* to, const void* from, size_t n)) {
  copies(to, from, n, STEWARD_CALLER);
  return static_cast<char*>(plain::copy(to, from, n)) + n;
}
STEWARD_HOOK_AS(void*, __mempcpy, (void* to, const void* from, size_t n)) {
  copies(to, from, n, STEWARD_CALLER);
  return static_cast<char*>(plain::copy(to, from, n)) + n;
}
STEWARD_HOOK_AS(void*, memset, (void* to, int c, size_t n)) {
  if (checks_are_off()) return plain::fill(to, c, n);
  fills(to, n, STEWARD_CALLER);
  return plain::fill(to, c, n);
}
STEWARD_HOOK_AS(void, bzero, (void* to, size_t n)) {
  fills(to, n, STEWARD_CALLER);
  plain::fill(to, 0, n);
}
STEWARD_HOOK_AS(void, explicit_bzero, (void* to, size_t n)) {
  fills(to, n, STEWARD_CALLER);
  plain::fill(to, 0, n);
}
STEWARD_HOOK_AS(void, bcopy, (const void* from, void* to, size_t n)) {
  copies(to, from, n, STEWARD_CALLER);
  plain::move(to, from, n);
}
STEWARD_HOOK_AS(int, memcmp, (const void* a, const void* b, size_t n)) {
  if (checks_are_off()) return plain::compare(a, b, n);
  compares(a, b, n, STEWARD_CALLER);
  return plain::compare(a, b, n);
}
STEWARD_HOOK_AS(int, bcmp, (const void* a, const void* b, size_t n)) {
  if (checks_are_off()) return plain::compare(a, b, n);
  compares(a, b, n, STEWARD_CALLER);
  return plain::compare(a, b, n);
}
// gcc 12 calls it for memcmp(...) == 0 in some places.
STEWARD_HOOK_AS(int, __memcmpeq, (const void* a, const void* b, size_t n)) {
  compares(a, b, n, STEWARD_CALLER);
  return plain::compare(a, b, n);
}

// Checked first: the destination's size does not pass through what the real one would abort on.
STEWARD_HOOK_AS(void*, __memcpy_chk, (void* to, const void* from, size_t n, size_t room)) {
  if (n <= room) copies(to, from, n, STEWARD_CALLER);
  return real___memcpy_chk()(to, from, n, room);
}
STEWARD_HOOK_AS(void*, __memmove_chk, (void* to, const void* from, size_t n, size_t room)) {
  if (n <= room) copies(to, from, n, STEWARD_CALLER);
  return real___memmove_chk()(to, from, n, room);
}
STEWARD_HOOK_AS(void*, __mempcpy_chk, (void* to, const void* from, size_t n, size_t room)) {
  if (n <= room) copies(to, from, n, STEWARD_CALLER);
  return real___mempcpy_chk()(to, from, n, room);
}
STEWARD_HOOK_AS(void*, __memset_chk, (void* to, int c, size_t n, size_t room)) {
  if (n <= room) fills(to, n, STEWARD_CALLER);
  return real___memset_chk()(to, c, n, room);
}

STEWARD_HOOK_AS(void*, memchr, (const void* s, int c, size_t n)) {
  if (checks_are_off()) return real_memchr()(s, c, n);
  void* found = real_memchr()(s, c, n);
  if (ThreadState* t = checking_thread()) {
    reads(*t, s, found != nullptr ? distance(s, found) + 1 : n, STEWARD_CALLER);
  }
  return found;
}
STEWARD_HOOK_AS(void*, memrchr, (const void* s, int c, size_t n)) {
  void* found = real_memrchr()(s, c, n);
  if (ThreadState* t = checking_thread()) {
    const void* from = found != nullptr ? found : s;
    reads(*t, from, n - distance(s, from), STEWARD_CALLER);
  }
  return found;
}
STEWARD_HOOK_AS(void*, rawmemchr, (const void* s, int c)) {
  void* found = real_rawmemchr()(s, c);
  if (ThreadState* t = checking_thread()) reads(*t, s, distance(s, found) + 1, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(void*, memmem, (const void* s, size_t n, const void* what, size_t size)) {
  void* found = real_memmem()(s, n, what, size);
  if (ThreadState* t = checking_thread()) {
    reads(*t, what, size, STEWARD_CALLER);
    reads(*t, s, found != nullptr ? distance(s, found) + size : n, STEWARD_CALLER);
  }
  return found;
}
STEWARD_HOOK_AS(void*, memccpy, (void* to, const void* from, int c, size_t n)) {
  const void* found = real_memchr()(from, c, n);
  copies(to, from, found != nullptr ? distance(from, found) + 1 : n, STEWARD_CALLER);
  return real_memccpy()(to, from, c, n);
}

STEWARD_HOOK_AS(wchar_t*, wmemcpy, (wchar_t * to, const wchar_t* from, size_t n)) {
  copies(to, from, n * sizeof *to, STEWARD_CALLER);
  return static_cast<wchar_t*>(plain::copy(to, from, n * sizeof *to));
}
STEWARD_HOOK_AS(wchar_t*, wmemmove, (wchar_t * to, const wchar_t* from, size_t n)) {
  copies(to, from, n * sizeof *to, STEWARD_CALLER);
  return static_cast<wchar_t*>(plain::move(to, from, n * sizeof *to));
}
