// Orders threads by means that no race detector sees, so that a racy program races in every run and
// the order of its accesses is fixed, without a happens-before edge between them.
//
// One counter, the stage. `inv_wait(n)` blocks until the stage is at least n, `inv_post(n)` sets
// it, `inv_arrive()` adds one. All of it is inline assembly in functions that no sanitizer
// instruments, and the system calls are made directly, so no interposed function takes part. The
// writes carry a lock prefix, which Valgrind's tools do not count as plain stores either.
#ifndef STEWARD_TESTS_PROGRAMS_INVISIBLE_H
#define STEWARD_TESTS_PROGRAMS_INVISIBLE_H

#if !defined(__x86_64__) || !defined(__linux__)
#error "the invisible barrier is written for x86-64 Linux"
#endif

#define INV_HIDDEN __attribute__((no_sanitize("thread"), noinline, unused))
#define NOINLINE __attribute__((noinline))
#define ALONE __attribute__((aligned(64)))  // shares no cache line, hence no shadow cell

// Touched only by the assembly below.
static int inv_stage ALONE;

// Futexes and yields need four arguments at most; the fourth is always null.
INV_HIDDEN static long inv_syscall(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("xorl %%r10d, %%r10d\n\tsyscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r10", "r11", "memory");
  return result;
}

enum {
  kInvRead = 0,
  kInvClose = 3,
  kInvYield = 24,
  kInvOpen = 2,
  kInvGettid = 186,
  kInvFutex = 202,
  kInvFutexWait = 128,  // FUTEX_WAIT | FUTEX_PRIVATE_FLAG
  kInvFutexWake = 129,  // FUTEX_WAKE | FUTEX_PRIVATE_FLAG
};

INV_HIDDEN static int inv_now(void) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(inv_stage) : "memory");
  return value;
}

INV_HIDDEN static void inv_wake(void) {
  inv_syscall(kInvFutex, (long)&inv_stage, kInvFutexWake, 0x7fffffff);
}

INV_HIDDEN static void inv_wait(int stage) {
  for (int now; (now = inv_now()) < stage;)
    inv_syscall(kInvFutex, (long)&inv_stage, kInvFutexWait, now);
}

INV_HIDDEN static void inv_post(int stage) {
  __asm__ volatile("lock; xchgl %0, %1" : "+r"(stage), "+m"(inv_stage) : : "memory");
  inv_wake();
}

INV_HIDDEN static void inv_arrive(void) {
  __asm__ volatile("lock; addl $1, %0" : "+m"(inv_stage) : : "memory", "cc");
  inv_wake();
}

INV_HIDDEN static void inv_yield(void) { inv_syscall(kInvYield, 0, 0, 0); }

INV_HIDDEN static int inv_tid(void) { return (int)inv_syscall(kInvGettid, 0, 0, 0); }

// The kernel's state of one of our threads: R runs, S is blocked, ... ; 0 when it is gone.
INV_HIDDEN static char inv_thread_state(int tid) {
  char path[48] = "/proc/self/task/";
  char text[256];
  char digits[12];
  int n = 0, at = 16;
  for (; tid > 0; tid /= 10) digits[n++] = (char)('0' + tid % 10);
  while (n > 0) path[at++] = digits[--n];
  path[at] = '/', path[at + 1] = 's', path[at + 2] = 't', path[at + 3] = 'a', path[at + 4] = 't';
  path[at + 5] = 0;
  long fd = inv_syscall(kInvOpen, (long)path, 0, 0);
  if (fd < 0) return 0;
  long size = inv_syscall(kInvRead, fd, (long)text, sizeof text);
  inv_syscall(kInvClose, fd, 0, 0);
  for (long i = size - 2; i > 0; --i)
    if (text[i] == ')') return text[i + 2];
  return 0;
}

// Until the thread sleeps in the kernel: what it says it will block in, it now blocks in.
INV_HIDDEN static void inv_wait_blocked(int tid) {
  while (inv_thread_state(tid) != 'S') inv_yield();
}

// Until the thread has left the process, its stack and its caches free for others.
INV_HIDDEN static void inv_wait_gone(int tid) {
  while (inv_thread_state(tid) != 0) inv_yield();
}

// An argument's value is used: the access that loads it survives the optimiser.
INV_HIDDEN static void keep(long value) { __asm__ volatile("" : : "r"(value) : "memory"); }
INV_HIDDEN static void keep_address(const volatile void* p) {
  __asm__ volatile("" : : "r"(p) : "memory");
}

// The same value, of which the optimiser knows nothing any more.
INV_HIDDEN static long opaque(long value) {
  __asm__ volatile("" : "+r"(value) : : "memory");
  return value;
}
INV_HIDDEN static void* opaque_pointer(void* p) {
  __asm__ volatile("" : "+r"(p) : : "memory");
  return p;
}

#endif
