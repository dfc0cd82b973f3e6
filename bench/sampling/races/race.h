// A race that happens once a run: its two accesses are made in an order that no detector sees, and
// nothing else orders them. What surrounds them is work on memory and locks of a thread's own.
#pragma once

#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

// A function of its own: the report names the race by the one that holds its later access.
#define SITE __attribute__((noinline)) static

struct Own {
  pthread_mutex_t lock;
  long cells[1024];
} ALONE;

static inline struct Own* new_own(void) {
  struct Own* own = (struct Own*)calloc(1, sizeof *own);
  pthread_mutex_init(&own->lock, NULL);
  return own;
}

// Some 5 ms, as long as a sampling period: races at both ends of it fall into different ones.
enum { kChurn = 60000, kStride = 64 };

__attribute__((noinline, unused)) static void churn(struct Own* own) {
  for (long round = 0; round < kChurn; ++round) {
    pthread_mutex_lock(&own->lock);
    for (int i = 0; i < kStride; ++i) own->cells[(round * kStride + i) & 1023] += i;
    pthread_mutex_unlock(&own->lock);
  }
}

static inline void run_threads(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], NULL, first, NULL) != 0) abort();
  if (pthread_create(&threads[1], NULL, second, NULL) != 0) abort();
  for (int t = 0; t < 2; ++t) pthread_join(threads[t], NULL);
}
