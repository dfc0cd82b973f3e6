// Memory that the Boehm collector reclaims from one thread and gives to another: different objects, no
// race, though nothing orders the threads.
// EXPECT: none
// STDOUT: collected, and memory was used again
// FLAGS: -lgc
#include "boehm.h"

#include <stdio.h>

#include "../support/in_order.h"

enum { kObjects = 20000 };
static uintptr_t hidden[kObjects];  // not pointers: the collector does not see them
static long again;

static void first(void) {
  for (int i = 0; i < kObjects; ++i) {
    long* p = (long*)gc_new(64);
    p[0] = i;
    p[7] = i;
    hidden[i] = ~(uintptr_t)p;
  }
}
INV_HIDDEN static int was_seen(const void* p) {
  for (int i = 0; i < kObjects; i += 100) {
    if (hidden[i] == ~(uintptr_t)p) return 1;
  }
  return 0;
}
static void second(void) {
  gc_collect();
  for (int i = 0; i < kObjects; ++i) {
    long* p = (long*)gc_new(64);
    p[0] = i;
    p[7] = i;
    again += was_seen(p);
  }
}

int main(void) {
  GC_INIT();
  const long before = (long)GC_get_gc_no();
  in_order(first, second);
  printf((long)GC_get_gc_no() > before && again > 0 ? "collected, and memory was used again\n"
                                                    : "not used again\n");
  return 0;
}
