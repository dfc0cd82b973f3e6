// Two threads hand a record to and fro, by each means that atomics have, while periods begin and
// end all the time. Every record must be whole, and nothing here is a race.
//   publish ROUNDS [switch]     switch: one of the threads asks for other rates meanwhile
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "steward/sample.h"

enum { kWords = 8 };
static long record[kWords];  // whoever's turn it is has it
static atomic_long turn;     // even: the first thread's
static atomic_int spin;
static long guarded;  // by spin
static long rounds;
static int switches;

static void check_and_fill(long value) {
  for (int i = 0; i < kWords; ++i) {
    if (record[i] != value) abort();
    record[i] = value + 1;
  }
}

static void count_one(void) {
  int expected = 0;
  while (!atomic_compare_exchange_weak_explicit(&spin, &expected, 1, memory_order_acquire,
                                                memory_order_relaxed)) {
    expected = 0;
    sched_yield();
  }
  ++guarded;
  atomic_store_explicit(&spin, 0, memory_order_release);
}

// The turn is received and given in one of four ways.
static void wait_for(long number) {
  switch (number / 2 % 4) {
    case 0:
      while (atomic_load_explicit(&turn, memory_order_acquire) != number) sched_yield();
      break;
    case 1:
      while (atomic_fetch_add_explicit(&turn, 0, memory_order_acquire) != number) sched_yield();
      break;
    case 2:
      while (atomic_load_explicit(&turn, memory_order_relaxed) != number) sched_yield();
      atomic_thread_fence(memory_order_acquire);
      break;
    default:
      for (long expected = number; !atomic_compare_exchange_strong(&turn, &expected, number);) {
        expected = number;
        sched_yield();
      }
  }
}

static void give(long number) {
  switch (number / 8 % 4) {
    case 0:
      atomic_store_explicit(&turn, number + 1, memory_order_release);
      break;
    case 1:
      atomic_fetch_add_explicit(&turn, 1, memory_order_release);
      break;
    case 2:
      atomic_thread_fence(memory_order_release);
      atomic_store_explicit(&turn, number + 1, memory_order_relaxed);
      break;
    default:
      atomic_exchange(&turn, number + 1);
  }
}

static void* hand_over(void* first) {
  for (long i = first != 0 ? 0 : 1; i < 2 * rounds; i += 2) {
    wait_for(i);
    check_and_fill(i);
    give(i);
    count_one();
    if (switches && first != 0 && i % 256 == 0)
      steward_sample(i % 768 == 0 ? 1 : i % 512 == 0 ? 0.3 : 0);
  }
  return 0;
}

int main(int argc, char** argv) {
  rounds = argc > 1 ? atol(argv[1]) : 0;
  switches = argc > 2 && strcmp(argv[2], "switch") == 0;
  pthread_t threads[2];
  pthread_create(&threads[0], 0, hand_over, &rounds);
  pthread_create(&threads[1], 0, hand_over, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return record[0] == 2 * rounds && guarded == 2 * rounds ? 0 : 3;
}
