// Functions that gcc's libtsan.so exports and libc has in two versions. A program linked against
// libtsan.so asks for them by bare name, and without ours the dynamic linker would give it the
// oldest: a realpath that takes no null, a sched_getaffinity with two arguments. So we pass on to
// the newest.
#include <glob.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <time.h>

#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;

REAL_VERSION(char*, realpath, "GLIBC_2.3", const char*, char*)
REAL_VERSION(int, regexec, "GLIBC_2.3.4", const regex_t*, const char*, size_t, regmatch_t*, int)
REAL_VERSION(int, sched_getaffinity, "GLIBC_2.3.4", pid_t, size_t, cpu_set_t*)
REAL_VERSION(int, pthread_attr_getaffinity_np, "GLIBC_2.3.4", const pthread_attr_t*, size_t,
             cpu_set_t*)
REAL_VERSION(FILE*, fmemopen, "GLIBC_2.22", void*, size_t, const char*)
REAL_VERSION(int, glob, "GLIBC_2.27", const char*, int, int (*)(const char*, int), glob_t*)
REAL_VERSION(int, glob64, "GLIBC_2.27", const char*, int, int (*)(const char*, int), glob64_t*)
REAL_VERSION(int, posix_spawn, "GLIBC_2.15", pid_t*, const char*, const posix_spawn_file_actions_t*,
             const posix_spawnattr_t*, char* const*, char* const*)
REAL_VERSION(int, posix_spawnp, "GLIBC_2.15", pid_t*, const char*,
             const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
             char* const*)

STEWARD_HOOK_AS(char*, realpath, (const char* path, char* resolved)) {
  return real_realpath()(path, resolved);
}
STEWARD_HOOK_AS(int, regexec, (const regex_t* r, const char* s, size_t n, regmatch_t* m, int f)) {
  return real_regexec()(r, s, n, m, f);
}
STEWARD_HOOK_AS(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t* set)) {
  return real_sched_getaffinity()(pid, size, set);
}
STEWARD_HOOK_AS(int, pthread_attr_getaffinity_np,
                (const pthread_attr_t* attr, size_t size, cpu_set_t* set)) {
  return real_pthread_attr_getaffinity_np()(attr, size, set);
}
STEWARD_HOOK_AS(FILE*, fmemopen, (void* buffer, size_t size, const char* mode)) {
  return real_fmemopen()(buffer, size, mode);
}
STEWARD_HOOK_AS(int, glob,
                (const char* pattern, int flags, int (*error)(const char*, int), glob_t* out)) {
  return real_glob()(pattern, flags, error, out);
}
STEWARD_HOOK_AS(int, glob64,
                (const char* pattern, int flags, int (*error)(const char*, int), glob64_t* out)) {
  return real_glob64()(pattern, flags, error, out);
}
STEWARD_HOOK_AS(int, posix_spawn,
                (pid_t * pid, const char* path, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attr, char* const* argv, char* const* env)) {
  return real_posix_spawn()(pid, path, actions, attr, argv, env);
}
STEWARD_HOOK_AS(int, posix_spawnp,
                (pid_t * pid, const char* path, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attr, char* const* argv, char* const* env)) {
  return real_posix_spawnp()(pid, path, actions, attr, argv, env);
}
