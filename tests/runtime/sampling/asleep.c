// Checks rest while those who have not received what was sampled are asleep, and order is followed
// all the same. B sleeps before A samples anything; A wakes it by a system call that nobody sees.
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "switching.h"

// As code built with the pass has one: 2 says that accesses are not checked, but the order is
// followed.
void __steward_module_loaded(unsigned char* flag);
static unsigned char active = 1;
__attribute__((constructor)) static void begin(void) {
  __steward_module_loaded(&active);
}
INV_HIDDEN static int checks_rest(void) {
  return __atomic_load_n(&active, __ATOMIC_RELAXED) == 2;
}

int data ALONE, other ALONE;  // not static: what nobody reads would not be written
static int wake[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int flag ALONE;
static pthread_t sleeper;

INV_HIDDEN static int is_asleep(int tid) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  const int fd = (int)syscall(SYS_openat, -100, path, 0);
  if (fd < 0) return 0;
  const long n = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  text[n > 0 ? n : 0] = 0;
  const char* end = strrchr(text, ')');
  return end != 0 && end[2] == 'S';
}

// B is about to sleep; nothing is sampled yet.
static void prepare(int me) {
  A if (pipe(wake) != 0) _Exit(4);
  B sleeper = pthread_self();
  then();
  A while (!is_asleep(thread_ids[1])) inv_yield();
}
static void sleep_in_poll(void) {
  struct pollfd fd = {wake[0], POLLIN, 0};
  while (poll(&fd, 1, -1) < 0 && errno == EINTR) {
  }
}
INV_HIDDEN static void wake_up(void) {
  if (syscall(SYS_write, wake[1], "", 1) != 1) _Exit(4);
}

// A samples no more, and all that are awake have what it sampled.
static void rest(void) {
  steward_sample(0);
  while (!has_stopped_sampling() || !checks_rest()) {
    checks_are_off();
    inv_yield();
  }
}

static void sample_and_rest(void) {
  on_alone();
  data = 1;
  rest();
}

static void race_woken(int me) {
  prepare(me);
  A {
    sample_and_rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    data = 2;
  }
}

// Read, not written, and checks have rested twice.
static void race_woken_later(int me) {
  prepare(me);
  A {
    on_alone();
    (void)*(volatile int*)&data;
    rest();
    on_alone();
    other = 1;
    rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    data = 2;
  }
}

// What is sampled after a rest.
static void race_sampled_later(int me) {
  prepare(me);
  A {
    sample_and_rest();
    on_alone();
    other = 1;
    rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    other = 2;
  }
}

// It goes to sleep again, and wakes up again.
static void race_woken_twice(int me) {
  prepare(me);
  A {
    sample_and_rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    other = 2;
    char byte;
    if (syscall(SYS_read, wake[0], &byte, 1) != 1) _Exit(4);
  }
  then();
  A {
    while (!is_asleep(thread_ids[1])) inv_yield();
    rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    data = 2;
  }
}

static void ordered_by_lock(int me) {
  prepare(me);
  A {
    sample_and_rest();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (!checks_rest()) _Exit(5);
    wake_up();
  }
  B {
    sleep_in_poll();
    pthread_mutex_lock(&mutex);
    data = 2;
    pthread_mutex_unlock(&mutex);
  }
}

static void ordered_by_atomic(int me) {
  prepare(me);
  A {
    sample_and_rest();
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (!checks_rest()) _Exit(5);
    wake_up();
  }
  B {
    sleep_in_poll();
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) _Exit(5);
    data = 2;
  }
}

static void ordered_by_semaphore(int me) {
  static sem_t semaphore;
  A sem_init(&semaphore, 0, 0);
  prepare(me);
  A {
    sample_and_rest();
    sem_post(&semaphore);
  }
  B {
    while (sem_wait(&semaphore) != 0) {
    }
    data = 2;
  }
}

// By its mutex alone.
static void ordered_by_condition(int me) {
  static int told;
  prepare(me);
  A {
    sample_and_rest();
    pthread_mutex_lock(&mutex);
    told = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
  }
  B {
    pthread_mutex_lock(&mutex);
    while (told == 0) pthread_cond_wait(&cond, &mutex);
    data = 2;
    pthread_mutex_unlock(&mutex);
  }
}

// Nobody has given its mutex anything.
static void race_signalled(int me) {
  prepare(me);
  A {
    sample_and_rest();
    pthread_cond_signal(&cond);
  }
  B {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    data = 2;
    pthread_mutex_unlock(&mutex);
  }
}

static void handle(int sig) {
  (void)sig;
  data = 2;
}
static void race_in_handler(int me) {
  A {
    const struct sigaction act = {.sa_handler = handle};
    sigaction(SIGUSR1, &act, 0);
  }
  prepare(me);
  A {
    sample_and_rest();
    pthread_kill(sleeper, SIGUSR1);
    while (__atomic_load_n(&data, __ATOMIC_RELAXED) != 2) inv_yield();
    wake_up();
  }
  B sleep_in_poll();
}

static void clean_up(void* argument) {
  (void)argument;
  data = 2;
  wake_up();
}
// Nobody joins it before.
static void* sleep_until_cancelled(void* argument) {
  pthread_cleanup_push(clean_up, argument);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return 0;
}
static void race_in_cleanup(int me) {
  static pthread_t third;
  B pthread_create(&third, 0, sleep_until_cancelled, 0);
  prepare(me);
  A {
    sample_and_rest();
    pthread_cancel(third);
  }
  B {
    sleep_in_poll();
    pthread_join(third, 0);
  }
}

// Memory that is given back and handed out again has no past. Who tells B where it is nobody sees.
static int* block;
INV_HIDDEN static int* at_block(int* p) {
  if (p != 0) block = p;
  return block;
}
static void block_reused(int me) {
  prepare(me);
  A {
    on_alone();
    int* const before = at_block(malloc(64 * sizeof *block));
    before[0] = 1;
    rest();
    free(before);
    if (at_block(malloc(64 * sizeof *block)) != before || !checks_rest()) _Exit(5);
    wake_up();
  }
  B {
    sleep_in_poll();
    at_block(0)[0] = 2;
  }
}
static void race_on_block(int me) {
  prepare(me);
  A {
    on_alone();
    at_block(malloc(64 * sizeof *block))[0] = 1;
    rest();
    wake_up();
  }
  B {
    sleep_in_poll();
    at_block(0)[0] = 2;
  }
}

static const struct Scenario scenarios[] = {
    SCENARIO(race_woken),           SCENARIO(race_woken_later),     SCENARIO(race_sampled_later),
    SCENARIO(race_woken_twice),     SCENARIO(ordered_by_lock),      SCENARIO(ordered_by_atomic),
    SCENARIO(ordered_by_semaphore), SCENARIO(ordered_by_condition), SCENARIO(race_signalled),
    SCENARIO(race_in_handler),      SCENARIO(race_in_cleanup),      SCENARIO(block_reused),
    SCENARIO(race_on_block),
};

int main(int argc, char** argv) {
  return run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
