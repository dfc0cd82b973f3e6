// A sorted table under a readers-writer lock: of 32 times it is held, 31 look a few keys up by
// bisection, one changes an entry. Readers check that no entry is ever seen half changed.
#include <pthread.h>

#include "kernel.h"

enum { kEntries = 50000, kOperations = 200000, kPerWrite = 32, kLookups = 16 };

struct Entry {
  uint64_t key;
  uint64_t value;
  uint64_t complement;  // ~value, but for a writer in between
};

static struct Entry table[kEntries];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

struct Share {
  long begin, end;
  uint64_t sum;
};

static uint64_t random_key(uint64_t index) {
  return mix(index) % ((uint64_t)kEntries * 3);
}

static struct Entry* find(uint64_t key) {
  size_t low = 0, high = kEntries;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (table[middle].key <= key)
      low = middle;
    else
      high = middle;
  }
  return &table[low];
}

static void* work(void* argument) {
  struct Share* share = argument;
  uint64_t sum = 0;
  for (long i = share->begin; i < share->end; ++i) {
    if (i % kPerWrite == 0) {
      pthread_rwlock_wrlock(&lock);
      struct Entry* entry = find(random_key((uint64_t)i));
      entry->value += (uint64_t)i;
      entry->complement = ~entry->value;
      pthread_rwlock_unlock(&lock);
    } else {
      pthread_rwlock_rdlock(&lock);
      for (uint64_t lookup = 0; lookup < kLookups; ++lookup) {
        const struct Entry* entry = find(random_key((uint64_t)i * kLookups + lookup));
        sum += entry->key + (entry->value ^ entry->complement);
      }
      pthread_rwlock_unlock(&lock);
    }
  }
  share->sum = sum;
  return NULL;
}

int main(int argc, char** argv) {
  const struct Arguments arguments = read_arguments(argc, argv);
  const long operations = scaled(kOperations, arguments);
  for (uint64_t i = 0; i < kEntries; ++i) table[i] = (struct Entry){3 * i, mix(i), ~mix(i)};
  pthread_t threads[kMostThreads];
  struct Share shares[kMostThreads];
  for (int t = 0; t < arguments.threads; ++t) {
    shares[t] = (struct Share){operations * t / arguments.threads,
                               operations * (t + 1) / arguments.threads, 0};
    pthread_create(&threads[t], NULL, work, &shares[t]);
  }
  uint64_t sum = 0;
  for (int t = 0; t < arguments.threads; ++t) {
    pthread_join(threads[t], NULL);
    sum += shares[t].sum;
  }
  for (int i = 0; i < kEntries; ++i) sum = sum * 31 + table[i].value;
  print_checksum(sum);
  return 0;
}
