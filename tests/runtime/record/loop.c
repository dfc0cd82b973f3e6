// Loops that are told of by stretches of 1,024 rounds: forwards, then backwards.
#include <stdlib.h>

enum { kRounds = 3000 };
static int from[kRounds], to[kRounds];

__attribute__((noinline)) static void forwards(int* restrict t, const int* restrict f, long n) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (long i = 0; i < n; ++i) t[i] = f[i] + 1;  // FORWARDS
}
__attribute__((noinline)) static void backwards(int* restrict t, const int* restrict f, long n) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (long i = n - 1; i >= 0; --i) t[i] = f[i] + 2;  // BACKWARDS
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : kRounds;
  forwards(to, from, n);
  backwards(from, to, n);
  return 0;
}
