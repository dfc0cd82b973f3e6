// Many threads that live for microseconds: each sums a stretch of a table and writes its result.
#include <pthread.h>

#include "kernel.h"

enum { kTable = 1 << 16, kStretch = 2048, kThreads = 16000 };

static uint32_t table[kTable];

struct Job {
  uint64_t number;
  uint64_t result;
};

static void* work(void* argument) {
  struct Job* job = argument;
  const uint64_t begin = mix(job->number) % (kTable - kStretch);
  uint64_t sum = job->number;
  for (uint64_t i = begin; i < begin + kStretch; ++i) sum = sum * 31 + table[i];
  job->result = sum;
  return NULL;
}

int main(int argc, char** argv) {
  const struct Arguments arguments = read_arguments(argc, argv);
  for (uint64_t i = 0; i < kTable; ++i) table[i] = (uint32_t)mix(i);
  const long count = scaled(kThreads, arguments);
  pthread_t threads[kMostThreads];
  struct Job jobs[kMostThreads];
  uint64_t sum = 0;
  for (long done = 0; done < count; done += arguments.threads) {
    for (int t = 0; t < arguments.threads; ++t) {
      jobs[t] = (struct Job){(uint64_t)(done + t), 0};
      if (pthread_create(&threads[t], NULL, work, &jobs[t]) != 0) {
        fprintf(stderr, "pthread_create failed\n");
        return 1;
      }
    }
    for (int t = 0; t < arguments.threads; ++t) {
      pthread_join(threads[t], NULL);
      sum += mix(jobs[t].result);
    }
  }
  print_checksum(sum);
  return 0;
}
