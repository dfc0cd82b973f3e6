// OUTPUT: 323400 323400 200
#include "kind.h"

static float a[128], b[128];

// A stencil and a reduction: vectorised at -O3, and walked over by stretches.
long work(volatile long* shared, long rounds) {
  long sum = 0;
  for (int i = 0; i < 128; ++i) a[i] = (float)i;
  for (long r = 0; r < rounds; ++r) {
    for (int i = 1; i < 127; ++i) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 50; i < 99; ++i) sum += (long)b[i] - 8;
    *shared += 1;
  }
  return sum;
}
