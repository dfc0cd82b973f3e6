// Many threads that read a table for long, all alive at once, one after the other, each as if by
// chance, and the first entry at last. Nothing a detector can see orders them; the reads are over
// when readers_read() returns.
#ifndef STEWARD_TESTS_PROGRAMS_READERS_H
#define STEWARD_TESTS_PROGRAMS_READERS_H

#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

enum { kMostReaders = 24 };

struct Readers {
  void (*read)(unsigned index);
  unsigned size;   // of the table
  unsigned reads;  // of each thread
  unsigned count;  // threads
  pthread_t threads[kMostReaders];
};

struct Reader {
  struct Readers* all;
  unsigned number;
};
static struct Reader readers_each[kMostReaders];

static inline void* readers_thread(void* argument) {
  const struct Reader* me = (const struct Reader*)argument;
  const struct Readers* all = me->all;
  inv_wait((int)me->number + 1);
  unsigned index = me->number;
  for (unsigned i = 0; i < all->reads; ++i) {
    index = index * 1664525 + 1013904223;
    all->read(1 + (index >> 8) % (all->size - 1));
  }
  all->read(0);
  inv_post((int)me->number + 2);
  return 0;
}

static inline void readers_read(struct Readers* all) {
  for (unsigned i = 0; i < all->count; ++i) {
    readers_each[i].all = all;
    readers_each[i].number = i;
    if (pthread_create(&all->threads[i], 0, readers_thread, &readers_each[i]) != 0) abort();
  }
  inv_post(1);
  inv_wait((int)all->count + 1);
}

static inline void readers_join(struct Readers* all) {
  for (unsigned i = 0; i < all->count; ++i) pthread_join(all->threads[i], 0);
}

#endif
