// Sampled periods that are longer than others, here because A does nothing in them for a while, so
// that the work which would end them is not done; and B, which time wakes up late in them. At 25%
// it stays out three times in four, until something else wakes it.
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "switching.h"

// Microseconds. Periods that are not sampled last 200, and 2,000 at most; sampled ones up to a
// hundred times that. Who has slept for four times as long as they last may stay out.
enum { kLongest = 2000, kHeld = 18000, kSlept = 10000 };
static const double kRate = 0.25;

int data ALONE, block[256] ALONE;  // not static: what nobody reads would not be written

// What the two tell each other here no detector sees: neither atomic nor instrumented.
static volatile long held_since ALONE;  // 0: A does not hold a period
static volatile long doubt ALONE;       // of B: does A hold it still?
static volatile long asked ALONE;       // by B, to write; 2: it has been done
static volatile long over ALONE;        // B has seen enough
INV_HIDDEN static long get(const volatile long* p) {
  return *p;
}
INV_HIDDEN static void set(volatile long* p, long value) {
  *p = value;
}

INV_HIDDEN static long now(void) {
  struct timespec time;
  inv_syscall(228, CLOCK_MONOTONIC, (long)&time, 0);  // clock_gettime
  return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

// A works, except in the first part of a sampled period. `late(since)` is called now and then in
// that, when it is longer than it would be without checks. What A shows its inline checks is
// another word in each sampled period.
INV_HIDDEN static void hold_periods(void (*late)(long since)) {
  while (!get(&over)) {
    checks_are_off();  // that is work
    if (!samples_here()) continue;
    const unsigned long word = __steward_word;
    const long begin = now();
    set(&held_since, begin);
    while (__steward_word == word && now() < begin + kHeld && !get(&over)) {
      if (get(&doubt)) {
        checks_are_off();  // an event: A notices if the period is over
        if (__steward_word != word) break;
        set(&doubt, 0);
      }
      if (late != 0 && now() > begin + kLongest) late(begin);
      inv_yield();
    }
    set(&held_since, 0);
    while (samples_here() && !get(&over)) checks_are_off();
  }
}

// Does B sample? The event before is that at which it notices another period.
INV_HIDDEN static int samples_now(void) {
  checks_are_off();
  return samples_here();
}
// ... and -1 if that was not late in a sampled period.
INV_HIDDEN static int samples_late(void) {
  const long since = get(&held_since);
  const int samples = samples_now();
  if (since == 0 || now() < since + kLongest) return -1;
  for (set(&doubt, 1); get(&doubt); inv_yield()) {
    if (get(&held_since) != since) return -1;
  }
  const int still = samples_now();
  return get(&held_since) == since && samples == still ? samples : -1;
}

static void* sleep_for_ever(void* none) {
  for (;;) pause();
  return none;
}
static pthread_t third;
static int pair[2], waker[2], epoll;
static sem_t semaphore;
static pthread_t sleeper;
static sigset_t usr2;
static void prepare(int me) {
  A {
    const struct timeval time = {0, kSlept};
    const struct epoll_event event = {.events = EPOLLIN};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe(waker) != 0) _Exit(4);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, pair[0], (struct epoll_event*)&event);
    sem_init(&semaphore, 0, 0);
    pthread_create(&third, 0, sleep_for_ever, 0);
    sigemptyset(&usr2);
    sigaddset(&usr2, SIGUSR2);
  }
  B {
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &mask, 0);
  }
  then();
}

// --- each call that can end because the time is over --------------------------------------------

static const struct timespec kTime = {0, kSlept * 1000l};
static struct timespec deadline(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += kTime.tv_nsec;
  if (time.tv_nsec >= 1000000000) time.tv_nsec -= 1000000000, ++time.tv_sec;
  return time;
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int in_poll(void) {
  return poll(0, 0, kSlept / 1000);
}
static int in_ppoll(void) {
  return ppoll(0, 0, &kTime, 0);
}
static int in_select(void) {
  struct timeval time = {0, kSlept};
  return select(0, 0, 0, 0, &time);
}
static int in_pselect(void) {
  return pselect(0, 0, 0, 0, &kTime, 0);
}
static int in_epoll_wait(void) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, kSlept / 1000);
}
static int in_nanosleep(void) {
  return nanosleep(&kTime, 0);
}
static int in_clock_nanosleep(void) {
  return clock_nanosleep(CLOCK_MONOTONIC, 0, &kTime, 0);
}
static int in_usleep(void) {
  return usleep(kSlept);
}
static int in_thrd_sleep(void) {
  return thrd_sleep(&kTime, 0);
}
static int in_sem_timedwait(void) {
  const struct timespec until = deadline();
  return sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT ? 0 : 1;
}
static int in_sigtimedwait(void) {
  return sigtimedwait(&usr2, 0, &kTime) == -1 && errno == EAGAIN ? 0 : 1;
}
static int in_read(void) {
  char byte;
  return read(pair[0], &byte, 1) == -1 && errno == EAGAIN ? 0 : 1;
}
static int in_cond_timedwait(void) {
  const struct timespec until = deadline();
  pthread_mutex_lock(&mutex);
  const int result = pthread_cond_timedwait(&cond, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return result == ETIMEDOUT ? 0 : 1;
}
static int in_cnd_timedwait(void) {
  static mtx_t m;
  static cnd_t c;
  const struct timespec until = deadline();
  mtx_lock(&m);
  const int result = cnd_timedwait(&c, &m, &until);
  mtx_unlock(&m);
  return result == thrd_timedout ? 0 : 1;
}
static int in_timedjoin(void) {
  const struct timespec until = deadline();
  return pthread_timedjoin_np(third, 0, &until) == ETIMEDOUT ? 0 : 1;
}
static int (*const timed[])(void) = {
    in_poll,         in_ppoll,         in_select,          in_pselect,       in_epoll_wait,
    in_nanosleep,    in_usleep,        in_clock_nanosleep, in_thrd_sleep,    in_read,
    in_sigtimedwait, in_sem_timedwait, in_cond_timedwait,  in_cnd_timedwait, in_timedjoin,
};
enum { kTimed = sizeof timed / sizeof *timed };

// --- scenarios ----------------------------------------------------------------------------------

// At 100% nobody stays out.
static void race_after_each(int me) {
  prepare(me);
  on();
  B {
    for (int i = 0; i < kTimed; ++i) {
      if (timed[i]() != 0) _Exit(4);
      if (!samples_now()) _Exit(10 + i);
    }
    data = 1;
  }
  then();
  A data = 2;
}

// B wakes up by call number `i` in such a period, and does not sample.
INV_HIDDEN static void stay_out(int i) {
  do {
    if (timed[i]() != 0) _Exit(4);
  } while (samples_late() != 0);
}
// Until it is woken by something else: a semaphore that has been posted.
static void each_stays_out(int me) {
  prepare(me);
  steward_sample(kRate);
  A hold_periods(0);
  B {
    for (int i = 0; i < kTimed; ++i) {
      stay_out(i);
      sem_post(&semaphore);
      if (sem_wait(&semaphore) != 0) _Exit(4);
      if (samples_late() == 0) _Exit(10 + i);
    }
    set(&over, 1);
  }
}

// Bounds that a fair choice leaves once in a million.
static void at_the_rate(int me) {
  enum { kLooks = 120, kLeast = 9, kMost = 55 };
  prepare(me);
  steward_sample(kRate);
  A hold_periods(0);
  B {
    int looks = 0, sampled = 0;
    while (looks < kLooks) {
      usleep(kSlept);
      const int samples = samples_late();
      looks += samples >= 0;
      sampled += samples > 0;
    }
    set(&over, 1);
    if (sampled < kLeast || sampled > kMost) {
      fprintf(stderr, "%d of %d sampled, not %d to %d\n", sampled, kLooks, kLeast, kMost);
      _Exit(5);
    }
  }
}

// Woken by something else it takes part like all others, however long it has slept: once a period,
// by what comes through a pipe, or a signal.
static long woken_in;
static void wake_by_pipe(long since) {
  if (since == woken_in) return;
  woken_in = since;
  if (syscall(SYS_write, waker[1], "", 1) != 1) _Exit(4);
}
static void wake_by_signal(long since) {
  if (since == woken_in) return;
  woken_in = since;
  pthread_kill(sleeper, SIGUSR1);
}
static void handle(int sig) {
  (void)sig;
}
static int read_byte(void) {
  struct pollfd fd = {waker[0], POLLIN, 0};
  char byte;
  return poll(&fd, 1, -1) == 1 && syscall(SYS_read, waker[0], &byte, 1) == 1;
}
static int sleep_until_interrupted(void) {
  const struct timespec time = {3600, 0};
  return nanosleep(&time, 0) == -1;
}
static void woken(int me, void (*wake)(long), int (*wait)(void)) {
  enum { kLooks = 20 };
  prepare(me);
  steward_sample(kRate);
  A hold_periods(wake);
  B {
    for (int looks = 0; looks < kLooks;) {
      if (!wait()) _Exit(4);
      const int samples = samples_late();
      if (samples == 0) _Exit(5);
      looks += samples > 0;
    }
    set(&over, 1);
  }
}
static void woken_by_pipe(int me) {
  woken(me, wake_by_pipe, read_byte);
}
static void woken_by_signal(int me) {
  B {
    const struct sigaction act = {.sa_handler = handle};
    sigaction(SIGUSR1, &act, 0);
    sleeper = pthread_self();
  }
  woken(me, wake_by_signal, sleep_until_interrupted);
}

// It is out, and does not wait; then all is to be sampled.
static void race_told_all(int me) {
  prepare(me);
  steward_sample(kRate);
  A hold_periods(0);
  B {
    stay_out(0);
    set(&over, 1);
    on_alone();
    data = 1;
  }
  then();
  A data = 2;
}

// Where it has walked once it may have to look again: A samples meanwhile.
static void write_if_asked(long since) {
  (void)since;
  if (get(&asked) != 1) return;
  block[100] = 1;
  set(&asked, 2);
}
INV_HIDDEN static void let_write(void) {
  set(&asked, 1);
  while (get(&asked) != 2) inv_yield();
}
NOINLINE static void walk(int from) {
  for (int i = 0; i < 256; ++i) block[i] = from + i;
}
static void race_walked_again(int me) {
  prepare(me);
  steward_sample(kRate);
  A hold_periods(write_if_asked);
  B {
    stay_out(0);
    walk(0);
    let_write();
    walk(1);
    set(&over, 1);
  }
}

static const struct Scenario scenarios[] = {
    SCENARIO(race_after_each),   SCENARIO(each_stays_out),  SCENARIO(at_the_rate),
    SCENARIO(woken_by_pipe),     SCENARIO(woken_by_signal), SCENARIO(race_told_all),
    SCENARIO(race_walked_again),
};

int main(int argc, char** argv) {
  return run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
