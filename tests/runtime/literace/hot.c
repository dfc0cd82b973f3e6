// Two threads run the same function very often. Late, when it has long been hot in both, each writes
// `hot` in it once: a race of two hot accesses. At the start each writes `cold`, in a function that
// is run once.
#include <pthread.h>
#include <stdio.h>

static long mine[2][64];
static volatile long hot, cold;

__attribute__((noinline)) static void step(long* own, long i, long rounds) {
  own[i % 64] += i;
  if (i == rounds - rounds / 4) hot = i;
}

__attribute__((noinline)) static void begin(void) { cold = 1; }

static void* run(void* own) {
  const long rounds = 400000;
#ifdef COLD
  begin();
#endif
  for (long i = 0; i < rounds; ++i) step((long*)own, i, rounds);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  (void)begin;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, run, mine[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  printf("%ld\n", mine[0][0] == mine[1][0] ? mine[0][0] : -1);
  return 0;
}
