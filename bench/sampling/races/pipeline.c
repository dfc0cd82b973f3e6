// A producer and a consumer that are well ordered by a lock, and an observer that is ordered with
// neither: the races are between threads whose clocks move on all the time.
// RACE: peek_total once hot, cold
// RACE: peek_copy once hot, cold (memcpy)
// RACE: reset_total once hot, cold
#include <string.h>

#include "race.h"

enum { kItems = 40000, kStages = 3, kWords = 8 };

struct Totals {
  long words[kWords];
} ALONE;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long in_hand;                   // under the lock
static struct Totals totals[kStages];  // one is made public at each stage

SITE void account(struct Totals* to, long item) {
  for (int i = 0; i < kWords; ++i) to->words[i] += item + i;
}

SITE long peek_total(const struct Totals* from) {
  return from->words[2];
}
SITE void peek_copy(struct Totals* to, const struct Totals* from) {
  memcpy(to, from, sizeof *to);
}
SITE void reset_total(struct Totals* to) {
  to->words[5] = 0;
}

static void* produce(void* none) {
  for (long i = 0; i < (long)kItems * kStages; ++i) {
    pthread_mutex_lock(&lock);
    in_hand += i;
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void* consume(void* none) {
  struct Totals own = {{0}};
  for (int stage = 1; stage <= kStages; ++stage) {
    for (long i = 0; i < kItems; ++i) {
      pthread_mutex_lock(&lock);
      const long item = in_hand;
      in_hand = 0;
      pthread_mutex_unlock(&lock);
      account(&own, item);
    }
    account(&totals[stage - 1], own.words[0]);
    inv_post(stage);
  }
  return none;
}

static void* observe(void* none) {
  struct Own* own = new_own();
  struct Totals copy;
  for (int stage = 1; stage <= kStages; ++stage) {
    churn(own);
    inv_wait(stage);
    if (stage == 1) keep(peek_total(&totals[0]));
    if (stage == 2) peek_copy(&copy, &totals[1]), keep(copy.words[0]);
    if (stage == 3) reset_total(&totals[2]);
  }
  free(own);
  return none;
}

int main(void) {
  pthread_t producer;
  if (pthread_create(&producer, NULL, produce, NULL) != 0) abort();
  run_threads(consume, observe);
  pthread_join(producer, NULL);
}
