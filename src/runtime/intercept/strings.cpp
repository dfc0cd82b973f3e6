// Strings. What is read is what decides the result: up to and with the terminating null, or the
// character at which the function stops.
#include "runtime/intercept/copy.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;
using std::size_t;

REAL(size_t, strnlen, const char*, size_t)
REAL(char*, strcpy, char*, const char*)
REAL(char*, stpcpy, char*, const char*)
REAL(char*, strncpy, char*, const char*, size_t)
REAL(char*, stpncpy, char*, const char*, size_t)
REAL(char*, strcat, char*, const char*)
REAL(char*, strncat, char*, const char*, size_t)
REAL(char*, __strcpy_chk, char*, const char*, size_t)
REAL(char*, __stpcpy_chk, char*, const char*, size_t)
REAL(char*, __strncpy_chk, char*, const char*, size_t, size_t)
REAL(char*, __strcat_chk, char*, const char*, size_t)
REAL(char*, __strncat_chk, char*, const char*, size_t, size_t)
REAL(int, strcmp, const char*, const char*)
REAL(int, strncmp, const char*, const char*, size_t)
REAL(int, strcasecmp, const char*, const char*)
REAL(int, strncasecmp, const char*, const char*, size_t)
REAL(char*, strchr, const char*, int)
REAL(char*, strchrnul, const char*, int)
REAL(char*, strrchr, const char*, int)
REAL(char*, strstr, const char*, const char*)
REAL(char*, strcasestr, const char*, const char*)
REAL(size_t, strspn, const char*, const char*)
REAL(size_t, strcspn, const char*, const char*)
REAL(char*, strpbrk, const char*, const char*)
REAL(char*, strdup, const char*)
REAL(char*, strndup, const char*, size_t)
REAL(size_t, wcslen, const wchar_t*)
REAL(wchar_t*, wcscpy, wchar_t*, const wchar_t*)

namespace {

size_t distance(const char* from, const char* to) {
  return static_cast<size_t>(to - from);
}
size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

// How many characters of at most n a string function reads: the null is one of them.
size_t extent(const char* s, size_t n) {
  const size_t length = real_strnlen()(s, n);
  return length < n ? length + 1 : n;
}

void copies(char* to, const char* from, size_t read, size_t written, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    reads(*t, from, read, pc);
    writes(*t, to, written, pc);
  }
}
// `length` characters and a null behind what is there.
void appends(char* to, const char* from, size_t read, size_t length, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    const size_t old = plain::length(to);
    reads(*t, from, read, pc);
    reads(*t, to, old + 1, pc);
    writes(*t, to + old, length + 1, pc);
  }
}

unsigned char folded(char c) {
  return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}
// A comparison reads both strings up to the first difference or the null.
void compares(const char* a, const char* b, size_t n, bool fold, uptr pc) {
  ThreadState* t = checking_thread();
  if (t == nullptr) return;
  size_t i = 0;
  while (i < n && a[i] != '\0' && (fold ? folded(a[i]) == folded(b[i]) : a[i] == b[i])) ++i;
  const size_t read = i < n ? i + 1 : n;
  reads(*t, a, read, pc);
  reads(*t, b, read, pc);
}
void searches(const char* s, const char* found, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    reads(*t, s, (found != nullptr ? distance(s, found) : plain::length(s)) + 1, pc);
  }
}
void searches_for(const char* s, const char* what, const char* found, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    const size_t size = plain::length(what);
    reads(*t, what, size + 1, pc);
    reads(*t, s, found != nullptr ? distance(s, found) + size : plain::length(s) + 1, pc);
  }
}
void scans(const char* s, size_t read, const char* set, uptr pc) {
  if (ThreadState* t = checking_thread()) {
    reads(*t, s, read, pc);
    reads(*t, set, plain::length(set) + 1, pc);
  }
}
constexpr size_t kAll = ~size_t{0};

}  // namespace

STEWARD_HOOK_AS(size_t, strlen, (const char* s)) {
  if (checks_are_off()) return plain::length(s);
  const size_t n = plain::length(s);
  if (ThreadState* t = checking_thread()) reads(*t, s, n + 1, STEWARD_CALLER);
  return n;
}
STEWARD_HOOK_AS(size_t, strnlen, (const char* s, size_t n)) {
  const size_t length = real_strnlen()(s, n);
  if (ThreadState* t = checking_thread()) reads(*t, s, least(length + 1, n), STEWARD_CALLER);
  return length;
}

STEWARD_HOOK_AS(char*, strcpy, (char* to, const char* from)) {
  if (checks_are_off()) return real_strcpy()(to, from);
  const size_t n = plain::length(from) + 1;
  copies(to, from, n, n, STEWARD_CALLER);
  return real_strcpy()(to, from);
}
STEWARD_HOOK_AS(char*, stpcpy, (char* to, const char* from)) {
  const size_t n = plain::length(from) + 1;
  copies(to, from, n, n, STEWARD_CALLER);
  return real_stpcpy()(to, from);
}
STEWARD_HOOK_AS(char*, __stpcpy, (char* to, const char* from)) {
  const size_t n = plain::length(from) + 1;
  copies(to, from, n, n, STEWARD_CALLER);
  return real_stpcpy()(to, from);
}
STEWARD_HOOK_AS(char*, strncpy, (char* to, const char* from, size_t n)) {  // padded to n
  copies(to, from, extent(from, n), n, STEWARD_CALLER);
  return real_strncpy()(to, from, n);
}
STEWARD_HOOK_AS(char*, stpncpy, (char* to, const char* from, size_t n)) {
  copies(to, from, extent(from, n), n, STEWARD_CALLER);
  return real_stpncpy()(to, from, n);
}
STEWARD_HOOK_AS(char*, strcat, (char* to, const char* from)) {
  const size_t n = plain::length(from);
  appends(to, from, n + 1, n, STEWARD_CALLER);
  return real_strcat()(to, from);
}
STEWARD_HOOK_AS(char*, strncat, (char* to, const char* from, size_t n)) {
  appends(to, from, extent(from, n), real_strnlen()(from, n), STEWARD_CALLER);
  return real_strncat()(to, from, n);
}
STEWARD_HOOK_AS(char*, __strcpy_chk, (char* to, const char* from, size_t room)) {
  const size_t n = plain::length(from) + 1;
  if (n <= room) copies(to, from, n, n, STEWARD_CALLER);
  return real___strcpy_chk()(to, from, room);
}
STEWARD_HOOK_AS(char*, __stpcpy_chk, (char* to, const char* from, size_t room)) {
  const size_t n = plain::length(from) + 1;
  if (n <= room) copies(to, from, n, n, STEWARD_CALLER);
  return real___stpcpy_chk()(to, from, room);
}
STEWARD_HOOK_AS(char*, __strncpy_chk, (char* to, const char* from, size_t n, size_t room)) {
  if (n <= room) copies(to, from, extent(from, n), n, STEWARD_CALLER);
  return real___strncpy_chk()(to, from, n, room);
}
STEWARD_HOOK_AS(char*, __strcat_chk, (char* to, const char* from, size_t room)) {
  const size_t n = plain::length(from);
  if (n < room) appends(to, from, n + 1, n, STEWARD_CALLER);
  return real___strcat_chk()(to, from, room);
}
STEWARD_HOOK_AS(char*, __strncat_chk, (char* to, const char* from, size_t n, size_t room)) {
  const size_t length = real_strnlen()(from, n);
  if (length < room) appends(to, from, extent(from, n), length, STEWARD_CALLER);
  return real___strncat_chk()(to, from, n, room);
}

STEWARD_HOOK_AS(int, strcmp, (const char* a, const char* b)) {
  if (checks_are_off()) return real_strcmp()(a, b);
  compares(a, b, kAll, false, STEWARD_CALLER);
  return real_strcmp()(a, b);
}
STEWARD_HOOK_AS(int, strncmp, (const char* a, const char* b, size_t n)) {
  if (checks_are_off()) return real_strncmp()(a, b, n);
  compares(a, b, n, false, STEWARD_CALLER);
  return real_strncmp()(a, b, n);
}
STEWARD_HOOK_AS(int, strcasecmp, (const char* a, const char* b)) {
  compares(a, b, kAll, true, STEWARD_CALLER);
  return real_strcasecmp()(a, b);
}
STEWARD_HOOK_AS(int, strncasecmp, (const char* a, const char* b, size_t n)) {
  compares(a, b, n, true, STEWARD_CALLER);
  return real_strncasecmp()(a, b, n);
}

STEWARD_HOOK_AS(char*, strchr, (const char* s, int c)) {
  if (checks_are_off()) return real_strchr()(s, c);
  char* found = real_strchr()(s, c);
  searches(s, found, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(char*, index, (const char* s, int c)) {
  char* found = real_strchr()(s, c);
  searches(s, found, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(char*, strchrnul, (const char* s, int c)) {
  char* found = real_strchrnul()(s, c);
  searches(s, found, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(char*, strrchr, (const char* s, int c)) {
  searches(s, nullptr, STEWARD_CALLER);
  return real_strrchr()(s, c);
}
STEWARD_HOOK_AS(char*, rindex, (const char* s, int c)) {
  searches(s, nullptr, STEWARD_CALLER);
  return real_strrchr()(s, c);
}
STEWARD_HOOK_AS(char*, strstr, (const char* s, const char* what)) {
  char* found = real_strstr()(s, what);
  searches_for(s, what, found, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(char*, strcasestr, (const char* s, const char* what)) {
  char* found = real_strcasestr()(s, what);
  searches_for(s, what, found, STEWARD_CALLER);
  return found;
}
STEWARD_HOOK_AS(size_t, strspn, (const char* s, const char* set)) {
  const size_t n = real_strspn()(s, set);
  scans(s, n + 1, set, STEWARD_CALLER);
  return n;
}
STEWARD_HOOK_AS(size_t, strcspn, (const char* s, const char* set)) {
  const size_t n = real_strcspn()(s, set);
  scans(s, n + 1, set, STEWARD_CALLER);
  return n;
}
STEWARD_HOOK_AS(char*, strpbrk, (const char* s, const char* set)) {
  char* found = real_strpbrk()(s, set);
  scans(s, (found != nullptr ? distance(s, found) : plain::length(s)) + 1, set, STEWARD_CALLER);
  return found;
}

namespace {
char* duplicates(const char* from, size_t read, char* copy, size_t length, uptr pc) {
  ThreadState* t = checking_thread();
  if (t != nullptr && copy != nullptr) {
    reads(*t, from, read, pc);
    writes(*t, copy, length + 1, pc);
  }
  return copy;
}
}  // namespace
STEWARD_HOOK_AS(char*, strdup, (const char* s)) {
  const size_t n = plain::length(s);
  return duplicates(s, n + 1, real_strdup()(s), n, STEWARD_CALLER);
}
STEWARD_HOOK_AS(char*, __strdup, (const char* s)) {
  const size_t n = plain::length(s);
  return duplicates(s, n + 1, real_strdup()(s), n, STEWARD_CALLER);
}
STEWARD_HOOK_AS(char*, strndup, (const char* s, size_t n)) {
  return duplicates(s, extent(s, n), real_strndup()(s, n), real_strnlen()(s, n), STEWARD_CALLER);
}

STEWARD_HOOK_AS(size_t, wcslen, (const wchar_t* s)) {
  const size_t n = real_wcslen()(s);
  if (ThreadState* t = checking_thread()) reads(*t, s, (n + 1) * sizeof *s, STEWARD_CALLER);
  return n;
}
STEWARD_HOOK_AS(wchar_t*, wcscpy, (wchar_t * to, const wchar_t* from)) {
  const size_t bytes = (real_wcslen()(from) + 1) * sizeof *to;
  if (ThreadState* t = checking_thread()) {
    reads(*t, from, bytes, STEWARD_CALLER);
    writes(*t, to, bytes, STEWARD_CALLER);
  }
  return real_wcscpy()(to, from);
}
