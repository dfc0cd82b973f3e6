// What every kernel shares: its two arguments, and numbers that are the same in every run.
//   kernel [SCALE [THREADS]]    SCALE: percent of the usual work (100); THREADS (2)
// SCALE changes how long a kernel runs, not how much memory it works on. The checksum it prints
// depends on both arguments and on nothing else: a run that computed something wrong cannot count.
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMostThreads = 256 };

struct Arguments {
  long scale;
  int threads;
};

static inline struct Arguments read_arguments(int argc, char** argv) {
  struct Arguments result = {100, 2};
  if (argc > 1) result.scale = strtol(argv[1], NULL, 10);
  if (argc > 2) result.threads = (int)strtol(argv[2], NULL, 10);
  if (argc > 3 || result.scale < 1 || result.threads < 1 || result.threads > kMostThreads) {
    fprintf(stderr, "usage: %s [SCALE_PERCENT [THREADS]]    (1 to %d threads)\n", argv[0],
            kMostThreads);
    exit(2);
  }
  return result;
}

// At least one round, however small the scale.
static inline long scaled(long rounds, struct Arguments arguments) {
  const long result = rounds * arguments.scale / 100;
  return result > 0 ? result : 1;
}

// splitmix64 (Steele, Lea, Flood 2014): a good number from any index, with no state to share.
static inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

static inline void print_checksum(uint64_t sum) {
  printf("%016" PRIx64 "\n", sum);
}
