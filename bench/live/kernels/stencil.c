// A five-point stencil over two grids, rows divided among the threads, a barrier between the
// steps: each element is read by five iterations, at the seams by two threads.
#include <pthread.h>
#include <string.h>

#include "kernel.h"

enum { kSide = 770, kRounds = 540 };

static double grids[2][kSide][kSide];
static pthread_barrier_t barrier;
static long rounds;
static int thread_count;

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument;
  const int begin = 1 + (kSide - 2) * thread / thread_count;
  const int end = 1 + (kSide - 2) * (thread + 1) / thread_count;
  for (long round = 0; round < rounds; ++round) {
    double(*from)[kSide] = grids[round % 2];
    double(*to)[kSide] = grids[(round + 1) % 2];
    for (int y = begin; y < end; ++y)
      for (int x = 1; x < kSide - 1; ++x)
        to[y][x] =
            0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const struct Arguments arguments = read_arguments(argc, argv);
  rounds = scaled(kRounds, arguments);
  thread_count = arguments.threads;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      grids[0][y][x] = grids[1][y][x] = (double)(mix((uint64_t)y * kSide + (uint64_t)x) % 1000);
  pthread_barrier_init(&barrier, NULL, (unsigned)thread_count);
  pthread_t threads[kMostThreads];
  for (int t = 0; t < thread_count; ++t)
    pthread_create(&threads[t], NULL, work, (void*)(intptr_t)t);
  for (int t = 0; t < thread_count; ++t) pthread_join(threads[t], NULL);
  pthread_barrier_destroy(&barrier);
  uint64_t sum = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      uint64_t bits = 0;
      memcpy(&bits, &grids[rounds % 2][y][x], sizeof bits);
      sum = sum * 31 + bits;
    }
  print_checksum(sum);
  return 0;
}
