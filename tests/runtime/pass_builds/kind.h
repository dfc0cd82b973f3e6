// One main for all: two threads each do a kind of work that changes a shared cell, with a lock
// around it, or without if there is an argument: that is the race.
#ifndef KIND_H
#define KIND_H

#include <pthread.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C"
#endif
long work(volatile long* cell, long rounds);  // what it returns depends on `rounds` alone

#ifndef WORK_ONLY
static volatile long cell;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_racy;
static long results[2];

static void* run(void* at) {
  long* result = (long*)at;
  if (!is_racy) pthread_mutex_lock(&lock);
  *result = work(&cell, 100);
  if (!is_racy) pthread_mutex_unlock(&lock);
  return 0;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  (void)argv;
  is_racy = argc > 1;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, run, &results[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  printf("%ld %ld", results[0], results[1]);
  if (!is_racy) printf(" %ld", cell);
  printf("\n");
  return 0;
}
#endif
#endif
