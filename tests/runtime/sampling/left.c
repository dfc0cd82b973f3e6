// When checks go off by themselves, and when not: threads that pass nothing on to each other.
#include "switching.h"

int data ALONE, other ALONE;  // not static: what nobody reads would not be written
int* block;

// What was sampled is written over: nothing is left to race with.
static void overwritten(int me) {
  on_alone();
  A data = 1;
  B other = 1;
  stop();
  A data = 2;
  B other = 2;
  then();
  while (!checks_are_off()) inv_yield();
}

// And after that all begins anew.
static void race_after_overwritten(int me) {
  overwritten(me);
  on();
  A data = 3;
  then();
  B data = 4;
}
static void overwritten_then_ordered(int me) {
  overwritten(me);
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  on();
  A {
    pthread_mutex_lock(&mutex);
    data = 3;
    pthread_mutex_unlock(&mutex);
  }
  then();
  B {
    pthread_mutex_lock(&mutex);
    data = 4;
    pthread_mutex_unlock(&mutex);
  }
}

// One access is left, and others have gone.
static void race_one_left(int me) {
  on_alone();
  A data = 1;
  B other = 1;
  stop();
  B other = 2;
  for (int i = 0; i < 1000; ++i) {
    if (checks_are_off()) _Exit(3);
    inv_yield();
  }
  then();
  B data = 2;
}

// It has moved to where nothing had been recorded.
static void race_moved(int me) {
  on_alone();
  A {
    block = malloc(64 * sizeof *block);
    block[0] = 1;
  }
  stop();
  A block = realloc(block, 1 << 20);
  for (int i = 0; i < 1000; ++i) {
    if (checks_are_off()) _Exit(3);
    inv_yield();
  }
  then();
  B block[0] = 2;
}

static const struct Scenario scenarios[] = {
    SCENARIO(overwritten),
    SCENARIO(race_after_overwritten),
    SCENARIO(overwritten_then_ordered),
    SCENARIO(race_one_left),
    SCENARIO(race_moved),
};

int main(int argc, char** argv) {
  return run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
}
