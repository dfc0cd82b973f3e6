// Both accesses of each race are in code that its thread has run a hundred thousand times on memory
// of its own: what a sampler that gives up on hot code does not see.
// RACE: hot_add once hot, hot
// RACE: hot_sum once hot, hot (a loop)
// RACE: hot_clear once hot, hot (memset)
// RACE: hot_counter often hot, hot
#include <string.h>

#include "race.h"

enum { kCells = 64, kCalls = 30000 };

static long added ALONE, counted ALONE;
static long summed[kCells] ALONE, cleared[kCells] ALONE;

SITE void add(long* cell) {
  *cell += 1;
}
SITE void fill(long* cells, long n) {
  for (long i = 0; i < n; ++i) cells[i] = i;
}

SITE void hot_add(long* cell) {
  *cell += 1;
}
SITE long hot_sum(const long* cells, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += cells[i];
  return sum;
}
SITE void hot_clear(long* cells) {
  memset(cells, 0, kCells * sizeof *cells);
}
SITE void hot_counter(long* cell) {
  *cell += 1;
}

static void* first(void* none) {
  struct Own* own = new_own();
  for (int stage = 1; stage <= 3; ++stage) {
    for (long i = 0; i < kCalls; ++i) {
      pthread_mutex_lock(&own->lock);
      add(&own->cells[i & 1023]);
      fill(own->cells, kCells);
      pthread_mutex_unlock(&own->lock);
      if (i % 64 == 0) hot_counter(&counted);
    }
    if (stage == 1) add(&added);
    if (stage == 2) fill(summed, kCells);
    if (stage == 3) fill(cleared, kCells);
    inv_post(stage);
  }
  free(own);
  return none;
}

static void* second(void* none) {
  struct Own* own = new_own();
  for (int stage = 1; stage <= 3; ++stage) {
    for (long i = 0; i < kCalls; ++i) {
      pthread_mutex_lock(&own->lock);
      hot_add(&own->cells[i & 1023]);
      keep(hot_sum(own->cells, kCells));
      hot_clear(own->cells);
      pthread_mutex_unlock(&own->lock);
      if (i % 64 == 0) hot_counter(&counted);
    }
    inv_wait(stage);
    if (stage == 1) hot_add(&added);
    if (stage == 2) keep(hot_sum(summed, kCells));
    if (stage == 3) hot_clear(cleared);
  }
  free(own);
  return none;
}

int main(void) {
  run_threads(first, second);
}
