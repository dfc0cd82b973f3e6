// printf and scanf in all their forms come down to one with a va_list each.
#include <stdarg.h>
#include <stdio.h>

#include "runtime/intercept/copy.h"
#include "runtime/intercept/format.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;
using std::size_t;

REAL(int, vfprintf, FILE*, const char*, va_list)
REAL(int, vsnprintf, char*, size_t, const char*, va_list)
REAL(int, vsprintf, char*, const char*, va_list)
REAL(int, vasprintf, char**, const char*, va_list)
REAL(int, vdprintf, int, const char*, va_list)
REAL(int, __vfprintf_chk, FILE*, int, const char*, va_list)
REAL(int, __vsnprintf_chk, char*, size_t, int, size_t, const char*, va_list)
REAL(int, __vsprintf_chk, char*, int, size_t, const char*, va_list)
REAL(int, vfscanf, FILE*, const char*, va_list)
REAL(int, vsscanf, const char*, const char*, va_list)
REAL(int, __isoc99_vfscanf, FILE*, const char*, va_list)
REAL(int, __isoc99_vsscanf, const char*, const char*, va_list)

namespace {

constexpr size_t kAll = ~size_t{0};

// `real(arguments)` prints; into `to`, if that is not null, at most `room` characters with the
// null.
template <class Print>
int prints(char* to, size_t room, const char* format, va_list arguments, uptr pc, Print real) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) {
    va_list copy;
    va_copy(copy, arguments);
    printf_arguments(*t, format, copy, pc);
    va_end(copy);
  }
  const int n = real(arguments);
  if (t != nullptr && to != nullptr && n >= 0 && room > 0) {
    const size_t all = static_cast<size_t>(n) + 1;
    writes(*t, to, all < room ? all : room, pc);
  }
  return n;
}

template <class Scan>
int scans(const char* format, va_list arguments, uptr pc, Scan real) {
  va_list copy;
  va_copy(copy, arguments);
  const int n = real(arguments);
  if (ThreadState* t = interceptor_thread()) scanf_arguments(*t, format, n, copy, pc);
  va_end(copy);
  return n;
}
void reads_text(const char* s, uptr pc) {
  if (ThreadState* t = interceptor_thread()) reads(*t, s, plain::length(s) + 1, pc);
}

int print_to(FILE* f, const char* format, va_list a, uptr pc) {
  return prints(nullptr, 0, format, a, pc,
                [&](va_list b) { return real_vfprintf()(f, format, b); });
}
int print_into(char* to, size_t room, const char* format, va_list a, uptr pc) {
  return prints(to, room, format, a, pc,
                [&](va_list b) { return real_vsnprintf()(to, room, format, b); });
}
int print_into(char* to, const char* format, va_list a, uptr pc) {
  return prints(to, kAll, format, a, pc, [&](va_list b) { return real_vsprintf()(to, format, b); });
}
int print_new(char** to, const char* format, va_list a, uptr pc) {
  const int n =
      prints(nullptr, 0, format, a, pc, [&](va_list b) { return real_vasprintf()(to, format, b); });
  ThreadState* t = interceptor_thread();
  if (n >= 0 && t != nullptr) {
    writes(*t, to, sizeof *to, pc);
    writes(*t, *to, static_cast<size_t>(n) + 1, pc);
  }
  return n;
}
int print_to_fd(int fd, const char* format, va_list a, uptr pc) {
  return prints(nullptr, 0, format, a, pc,
                [&](va_list b) { return real_vdprintf()(fd, format, b); });
}
int print_to_checked(FILE* f, int flag, const char* format, va_list a, uptr pc) {
  return prints(nullptr, 0, format, a, pc,
                [&](va_list b) { return real___vfprintf_chk()(f, flag, format, b); });
}
int print_into_checked(char* to, size_t room, int flag, size_t size, const char* format, va_list a,
                       uptr pc) {
  return prints(to, room, format, a, pc,
                [&](va_list b) { return real___vsnprintf_chk()(to, room, flag, size, format, b); });
}
int print_into_checked(char* to, int flag, size_t size, const char* format, va_list a, uptr pc) {
  return prints(to, kAll, format, a, pc,
                [&](va_list b) { return real___vsprintf_chk()(to, flag, size, format, b); });
}
int scan_from(FILE* f, const char* format, va_list a, uptr pc) {
  return scans(format, a, pc, [&](va_list b) { return real_vfscanf()(f, format, b); });
}
int scan_text(const char* s, const char* format, va_list a, uptr pc) {
  reads_text(s, pc);
  return scans(format, a, pc, [&](va_list b) { return real_vsscanf()(s, format, b); });
}
int scan_from_c99(FILE* f, const char* format, va_list a, uptr pc) {
  return scans(format, a, pc, [&](va_list b) { return real___isoc99_vfscanf()(f, format, b); });
}
int scan_text_c99(const char* s, const char* format, va_list a, uptr pc) {
  reads_text(s, pc);
  return scans(format, a, pc, [&](va_list b) { return real___isoc99_vsscanf()(s, format, b); });
}

}  // namespace

#define REST(call)         \
  va_list rest;            \
  va_start(rest, format);  \
  const int result = call; \
  va_end(rest);            \
  return result

STEWARD_HOOK int vprintf(const char* format, va_list a) {
  return print_to(stdout, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int vfprintf(FILE* f, const char* format, va_list a) {
  return print_to(f, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int vsnprintf(char* to, size_t room, const char* format, va_list a) {
  return print_into(to, room, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int vsprintf(char* to, const char* format, va_list a) {
  return print_into(to, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int vasprintf(char** to, const char* format, va_list a) {
  return print_new(to, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int vdprintf(int fd, const char* format, va_list a) {
  return print_to_fd(fd, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int printf(const char* format, ...) {
  REST(print_to(stdout, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int fprintf(FILE* f, const char* format, ...) {
  REST(print_to(f, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int snprintf(char* to, size_t room, const char* format, ...) {
  REST(print_into(to, room, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int sprintf(char* to, const char* format, ...) {
  REST(print_into(to, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int asprintf(char** to, const char* format, ...) {
  REST(print_new(to, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int dprintf(int fd, const char* format, ...) {
  REST(print_to_fd(fd, format, rest, STEWARD_CALLER));
}

STEWARD_HOOK int __vprintf_chk(int flag, const char* format, va_list a) {
  return print_to_checked(stdout, flag, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int __vfprintf_chk(FILE* f, int flag, const char* format, va_list a) {
  return print_to_checked(f, flag, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int __vsnprintf_chk(char* to, size_t room, int flag, size_t size, const char* format,
                                 va_list a) {
  return print_into_checked(to, room, flag, size, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int __vsprintf_chk(char* to, int flag, size_t size, const char* format, va_list a) {
  return print_into_checked(to, flag, size, format, a, STEWARD_CALLER);
}
STEWARD_HOOK int __printf_chk(int flag, const char* format, ...) {
  REST(print_to_checked(stdout, flag, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int __fprintf_chk(FILE* f, int flag, const char* format, ...) {
  REST(print_to_checked(f, flag, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int __snprintf_chk(char* to, size_t room, int flag, size_t size, const char* format,
                                ...) {
  REST(print_into_checked(to, room, flag, size, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK int __sprintf_chk(char* to, int flag, size_t size, const char* format, ...) {
  REST(print_into_checked(to, flag, size, format, rest, STEWARD_CALLER));
}

STEWARD_HOOK_AS(int, vscanf, (const char* format, va_list a)) {
  return scan_from(stdin, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, vfscanf, (FILE * f, const char* format, va_list a)) {
  return scan_from(f, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, vsscanf, (const char* s, const char* format, va_list a)) {
  return scan_text(s, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, scanf, (const char* format, ...)) {
  REST(scan_from(stdin, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK_AS(int, fscanf, (FILE * f, const char* format, ...)) {
  REST(scan_from(f, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK_AS(int, sscanf, (const char* s, const char* format, ...)) {
  REST(scan_text(s, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK_AS(int, __isoc99_vscanf, (const char* format, va_list a)) {
  return scan_from_c99(stdin, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, __isoc99_vfscanf, (FILE * f, const char* format, va_list a)) {
  return scan_from_c99(f, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, __isoc99_vsscanf, (const char* s, const char* format, va_list a)) {
  return scan_text_c99(s, format, a, STEWARD_CALLER);
}
STEWARD_HOOK_AS(int, __isoc99_scanf, (const char* format, ...)) {
  REST(scan_from_c99(stdin, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK_AS(int, __isoc99_fscanf, (FILE * f, const char* format, ...)) {
  REST(scan_from_c99(f, format, rest, STEWARD_CALLER));
}
STEWARD_HOOK_AS(int, __isoc99_sscanf, (const char* s, const char* format, ...)) {
  REST(scan_text_c99(s, format, rest, STEWARD_CALLER));
}
