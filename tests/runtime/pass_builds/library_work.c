#define WORK_ONLY
#include "kind.h"

long work(volatile long* cell, long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    *cell += 1;
    sum += i;
  }
  return sum;
}
