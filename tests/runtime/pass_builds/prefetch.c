// OUTPUT: 5050 5050 200
#include "kind.h"

static long table[1000];

// Looks ahead, as programs with large tables do: to read, and to write.
__attribute__((noinline)) long work(volatile long* shared, long rounds) {
  long own[64] = {0};
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    __builtin_prefetch(&table[(i + 8) * 7 % 1000]);
    __builtin_prefetch(&own[(i + 8) % 64], 1);
    own[i % 64] = table[i * 7 % 1000] + i + 1;
    sum += own[i % 64];
    *shared += 1;
  }
  return sum;
}
