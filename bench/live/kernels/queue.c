// Producers and consumers on one bounded queue with a mutex and two condition variables; each
// item is a small block that one thread fills and another one reads and frees.
#include <pthread.h>

#include "kernel.h"

enum { kCapacity = 64, kWords = 128, kItems = 500000 };

struct Item {
  uint64_t words[kWords];
};

static struct Item* ring[kCapacity];
static int head, length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(struct Item* item) {
  pthread_mutex_lock(&mutex);
  while (length == kCapacity) pthread_cond_wait(&not_full, &mutex);
  ring[(head + length++) % kCapacity] = item;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static struct Item* take(void) {
  pthread_mutex_lock(&mutex);
  while (length == 0) pthread_cond_wait(&not_empty, &mutex);
  struct Item* item = ring[head];
  head = (head + 1) % kCapacity;
  --length;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}

struct Share {
  long begin, end;  // numbers of the items a producer makes
  uint64_t sum;     // of what a consumer took
};

static void* produce(void* argument) {
  const struct Share* share = argument;
  for (long i = share->begin; i < share->end; ++i) {
    struct Item* item = malloc(sizeof *item);
    for (int w = 0; w < kWords; ++w) item->words[w] = mix((uint64_t)i * kWords + (uint64_t)w);
    put(item);
  }
  return NULL;
}

static void* consume(void* argument) {  // until the null that main puts in for each consumer
  struct Share* share = argument;
  uint64_t sum = 0;
  for (struct Item* item = take(); item != NULL; item = take()) {
    uint64_t hash = 0;
    for (int w = 0; w < kWords; ++w) hash = hash * 31 + item->words[w];
    sum += mix(hash);
    free(item);
  }
  share->sum = sum;
  return NULL;
}

int main(int argc, char** argv) {
  const struct Arguments arguments = read_arguments(argc, argv);
  const long items = scaled(kItems, arguments);
  const int pairs = (arguments.threads + 1) / 2;
  struct Share shares[32];
  pthread_t producers[32], consumers[32];
  for (int p = 0; p < pairs; ++p) {
    shares[p] = (struct Share){items * p / pairs, items * (p + 1) / pairs, 0};
    pthread_create(&producers[p], NULL, produce, &shares[p]);
    pthread_create(&consumers[p], NULL, consume, &shares[p]);
  }
  for (int p = 0; p < pairs; ++p) pthread_join(producers[p], NULL);
  for (int p = 0; p < pairs; ++p) put(NULL);
  uint64_t sum = 0;
  for (int p = 0; p < pairs; ++p) {
    pthread_join(consumers[p], NULL);
    sum += shares[p].sum;
  }
  print_checksum(sum);
  return 0;
}
