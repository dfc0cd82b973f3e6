// Scenarios of two threads that switch sampling on and off between their steps, and know when the
// switch has taken effect: nothing here waits for a time. Both run the same function, told apart by
// `me`; a step is one thread's, and the next begins when both have come to `then()`.
//   A data = 1;
//   on();
//   B data = 2;
// The programs start at 0%, with checks off, and are built with the pass. NAME as their argument
// runs that scenario, none lists them: those called race_... have a race that must be reported,
// the others have none.
#ifndef STEWARD_TESTS_SAMPLING_SWITCHING_H
#define STEWARD_TESTS_SAMPLING_SWITCHING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "invisible.h"
#include "steward/sample.h"

#define A if (me == 0)
#define B if (me == 1)

// What the runtime shows to inline checks: nothing known, or to be asked, unless the thread
// samples; and where code that finds checks off counts the atomics it does itself.
extern __thread unsigned long __steward_word __attribute__((tls_model("initial-exec")));
extern __thread unsigned long __steward_work __attribute__((tls_model("initial-exec")));

static int thread_ids[2];

INV_HIDDEN static int samples_here(void) {
  return __steward_word + 1 > 1;
}
INV_HIDDEN static int has_stopped_sampling(void) {
  return __steward_word == 0;
}
INV_HIDDEN static unsigned long done_in_place(void) {
  return __steward_work;
}

static atomic_int probe ALONE;
NOINLINE static int checks_are_off(void) {
  const unsigned long before = done_in_place();
  atomic_fetch_add_explicit(&probe, 1, memory_order_relaxed);
  return done_in_place() != before;
}

// Both threads have come here.
INV_HIDDEN static void then(void) {
  static __thread int meetings;
  inv_arrive();
  inv_wait(2 * ++meetings);
}

// This thread samples, and checks are on for the other. What it does to notice, an atomic
// operation, orders nothing and begins no new epoch.
static inline void on_alone(void) {
  steward_sample(1);
  while (!samples_here()) {
    checks_are_off();
    inv_yield();
  }
}

// An access of each thread's own, which is sampled and stays.
static __thread volatile int stays;

static inline void on(void) {
  then();
  on_alone();
  stays = 1;
  then();
}

// Neither samples any more.
static inline void stop(void) {
  then();
  steward_sample(0);
  while (!has_stopped_sampling()) {
    checks_are_off();
    inv_yield();
  }
  then();
}

// The same, but checks stay on: the other thread has not received what one of them has sampled, and
// nothing here passes it on.
static inline void between(void) {
  stop();
  if (checks_are_off()) _Exit(3);
}

// Checks go off when each thread has received all that was sampled: they synchronise here.
static inline void off(void) {
  static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
  then();
  steward_sample(0);
  while (!checks_are_off()) {
    pthread_mutex_lock(&common);
    pthread_mutex_unlock(&common);
    inv_yield();
  }
  then();
}

struct Scenario {
  const char* name;
  void (*run)(int me);
};
#define SCENARIO(name) \
  { #name, name }

struct ScenarioThread {
  const struct Scenario* scenario;
  int me;
};

static void* run_scenario(void* argument) {
  const struct ScenarioThread* thread = (const struct ScenarioThread*)argument;
  thread_ids[thread->me] = inv_tid();
  then();
  if (!checks_are_off()) _Exit(3);
  thread->scenario->run(thread->me);
  then();
  return 0;
}

static int run_scenarios(const struct Scenario* scenarios, int count, int argc, char** argv) {
  for (int i = 0; i < count; ++i) {
    if (argc == 1) puts(scenarios[i].name);
    if (argc == 1 || strcmp(argv[1], scenarios[i].name) != 0) continue;
    struct ScenarioThread parts[2] = {{&scenarios[i], 0}, {&scenarios[i], 1}};
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], 0, run_scenario, &parts[k]);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], 0);
    return 0;
  }
  return argc == 1 ? 0 : 2;
}

#endif
