#include "runtime/intercept/finish.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/intercept/real.h"
#include "runtime/options.h"
#include "runtime/record/record_file.h"
#include "runtime/record/report.h"

extern char** environ;
extern "C" __attribute__((weak)) int __tsan_on_finalize(int failed);

namespace steward::rt {
namespace {

struct Text {
  char data[4608] = {};
  std::size_t size = 0;
  Text& operator<<(const char* s) {
    for (; *s != '\0' && size + 1 < sizeof data; ++s) data[size++] = *s;
    data[size] = '\0';
    return *this;
  }
  Text& operator<<(unsigned n) {
    char digits[12];
    int i = 0;
    do digits[i++] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    while (i > 0 && size + 1 < sizeof data) data[size++] = digits[--i];
    data[size] = '\0';
    return *this;
  }
};

// STEWARD_BIN, else bin/steward three folders above this library's.
void find_steward(Text& path) {
  char given[4096];
  if (environment("STEWARD_BIN", given, sizeof given)) {
    path << given;
    return;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&finish), &info) == 0) return;
  std::size_t slash = 0;
  for (std::size_t i = 0; info.dli_fname[i] != '\0'; ++i) {
    if (info.dli_fname[i] == '/') slash = i + 1;
  }
  path << info.dli_fname;
  if (slash < path.size) {
    path.size = slash;
    path.data[slash] = '\0';
  }
  path << "../../../bin/steward";
}

bool begins(const char* s, const char* with) {
  for (; *with != '\0'; ++s, ++with) {
    if (*s != *with) return false;
  }
  return true;
}

template <class T>
long word(T p) {
  return reinterpret_cast<long>(p);
}

// Its exit code, or -1 if it did not run. Nothing of libc's is called between fork and exec, and it
// must not load us.
int print_records(int status, bool remove) {
  Text steward, code;
  find_steward(steward);
  code << static_cast<unsigned>(status & 0xff);
  constexpr std::size_t kMaxVariables = 4096;
  const char** env = static_cast<const char**>(sys::map((kMaxVariables + 1) * sizeof(char*)));
  std::size_t n = 0;
  for (char** e = environ; e != nullptr && *e != nullptr && n < kMaxVariables; ++e) {
    if (!begins(*e, "LD_PRELOAD=")) env[n++] = *e;
  }
  const char* argv[] = {steward.data, "print-records", "--target-exit",
                        code.data,    records_path(),  remove ? "--remove" : nullptr,
                        nullptr};
  // A handler of the program's, or SIGCHLD ignored, must not come between.
  std::uint64_t all = ~std::uint64_t{0}, before = 0;
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, word(&all), word(&before), sizeof all);
  const long child = sys::call(SYS_fork);
  if (child == 0) {
    sys::call(SYS_rt_sigprocmask, SIG_SETMASK, word(&before), 0, sizeof before);
    sys::call(SYS_dup2, 2, 1);  // the program's standard output is its own
    sys::call(SYS_execve, word(steward.data), word(argv), word(env));
    sys::exit_now(127);
  }
  int result = -1;
  if (!sys::failed(child)) {
    int state = 0;
    while (sys::call(SYS_wait4, child, word(&state)) == -4) {
    }
    if ((state & 0x7f) == 0) result = state >> 8 & 0xff;
  }
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, word(&before), 0, sizeof before);
  return result == 127 ? -1 : result;
}

void name_file() {
  Text line;
  line << "steward: races were found; `steward print-records " << records_path()
       << "` shows them\n";
  sys::write_all(2, line.data, line.size);
}

std::atomic<bool> finished{false};

}  // namespace

int finish(int status) {
  if (!started() || finished.exchange(true)) return status;
  write_end();
  const bool races = races_reported() != 0;
  if (&__tsan_on_finalize != nullptr) __tsan_on_finalize(races);
  if (!races || !records_are_ours()) return status;
  // It answers with the code to end with; any other says that it could not do its work.
  const int code = print_records(status, true);
  if (code == (status & 0xff) || code == options().exitcode)
    return code == options().exitcode ? code : status;
  name_file();
  return status == 0 ? options().exitcode : status;
}

namespace {

// Last of all: registered before anything of the program's, and after the destructors of every
// library. What is left to exit() is to flush stdio, which it does without its locks: a thread may
// be blocked in a read with one held, so a plain fflush of everything here could hang.
void at_exit(int status, void*) {
  if (ftrylockfile(stdout) == 0) {
    fflush_unlocked(stdout);
    funlockfile(stdout);
  }
  const int code = finish(status);
  if (code != status) exit(code);  // goes on where this exit is
}

int quick_status = 0;
void at_quick() {
  const int code = finish(quick_status);
  if (code != quick_status) sys::exit_now(code);
}

__attribute__((constructor(102))) void register_end() {
  on_exit(at_exit, nullptr);
  at_quick_exit(at_quick);
}

}  // namespace
}  // namespace steward::rt

using namespace steward::rt;

REAL(void, quick_exit, int)
REAL(int, execve, const char*, char* const*, char* const*)
REAL(int, execvpe, const char*, char* const*, char* const*)
REAL(int, fexecve, int, char* const*, char* const*)

STEWARD_HOOK void _exit(int status) {
  sys::exit_now(finish(status));
}
STEWARD_HOOK void _Exit(int status) {
  sys::exit_now(finish(status));
}
STEWARD_HOOK void quick_exit(int status) {
  quick_status = status;
  real_quick_exit()(status);
  __builtin_unreachable();
}

// Another program takes this one's place: its races are told now or never. A reporter that waits
// has them already. If the exec fails the program goes on, and its end tells them again with the
// rest.
namespace {
void before_exec() {
  if (started() && records_are_ours() && races_reported() != 0) print_records(0, false);
}

// The arguments of an execl call as an array: f(argv, the rest of them).
template <class F>
int collect(const char* first, va_list rest, F f) {
  std::size_t n = 1;
  va_list count;
  va_copy(count, rest);
  while (va_arg(count, char*) != nullptr) ++n;
  va_end(count);
  const char* argv[n + 1];
  argv[0] = first;
  for (std::size_t i = 1; i <= n; ++i) argv[i] = va_arg(rest, char*);
  return f(const_cast<char* const*>(argv));
}
}  // namespace

STEWARD_HOOK int execve(const char* path, char* const argv[], char* const env[]) {
  before_exec();
  return real_execve()(path, argv, env);
}
STEWARD_HOOK int execv(const char* path, char* const argv[]) {
  before_exec();
  return real_execve()(path, argv, environ);
}
STEWARD_HOOK int execvp(const char* file, char* const argv[]) {
  before_exec();
  return real_execvpe()(file, argv, environ);
}
STEWARD_HOOK int execvpe(const char* file, char* const argv[], char* const env[]) {
  before_exec();
  return real_execvpe()(file, argv, env);
}
STEWARD_HOOK int fexecve(int fd, char* const argv[], char* const env[]) {
  before_exec();
  return real_fexecve()(fd, argv, env);
}
STEWARD_HOOK int execl(const char* path, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  before_exec();
  const int result =
      collect(first, rest, [&](char* const* argv) { return real_execve()(path, argv, environ); });
  va_end(rest);
  return result;
}
STEWARD_HOOK int execlp(const char* file, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  before_exec();
  const int result =
      collect(first, rest, [&](char* const* argv) { return real_execvpe()(file, argv, environ); });
  va_end(rest);
  return result;
}
STEWARD_HOOK int execle(const char* path, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  before_exec();
  const int result = collect(first, rest, [&](char* const* argv) {
    return real_execve()(path, argv, va_arg(rest, char* const*));
  });
  va_end(rest);
  return result;
}
