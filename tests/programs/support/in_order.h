// Runs functions in threads of their own, all alive at once, strictly one after the other; nothing
// a detector can see orders them. Creation comes before all of them, the joins after.
#ifndef STEWARD_TESTS_PROGRAMS_IN_ORDER_H
#define STEWARD_TESTS_PROGRAMS_IN_ORDER_H

#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

typedef void (*InOrderBody)(void);

struct InOrderPart {
  InOrderBody run;
  int stage;
};

static inline void* in_order_thread(void* argument) {
  const struct InOrderPart* part = (const struct InOrderPart*)argument;
  inv_wait(part->stage);
  part->run();
  inv_post(part->stage + 1);
  return 0;
}

static inline void in_order_run(const InOrderBody* bodies, int count) {
  struct InOrderPart parts[4];
  pthread_t threads[4];
  for (int i = 0; i < count; ++i) {
    parts[i].run = bodies[i];
    parts[i].stage = i + 1;
    if (pthread_create(&threads[i], 0, in_order_thread, &parts[i]) != 0) abort();
  }
  inv_post(1);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
}

// Two threads that order themselves, by inv_post and inv_wait.
static inline void two_threads(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], 0, first, 0) != 0) abort();
  if (pthread_create(&threads[1], 0, second, 0) != 0) abort();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}

static inline void in_order(InOrderBody first, InOrderBody second) {
  const InOrderBody bodies[] = {first, second};
  in_order_run(bodies, 2);
}

static inline void in_order3(InOrderBody first, InOrderBody second, InOrderBody third) {
  const InOrderBody bodies[] = {first, second, third};
  in_order_run(bodies, 3);
}

static inline void in_order4(InOrderBody first, InOrderBody second, InOrderBody third,
                             InOrderBody fourth) {
  const InOrderBody bodies[] = {first, second, third, fourth};
  in_order_run(bodies, 4);
}

#endif
