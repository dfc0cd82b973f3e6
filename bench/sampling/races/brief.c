// A program shorter than a sampling period: all of it is sampled, or nothing.
// RACE: brief_store once cold, cold
// RACE: brief_load once cold, cold
// RACE: brief_heap once cold, cold
#include "race.h"

static long stored ALONE, loaded ALONE;
static long* block;

SITE void set_both(void) {
  stored = 1, loaded = 1, block[3] = 1;
}
SITE void brief_store(void) {
  stored = 2;
}
SITE long brief_load(void) {
  return loaded;
}
SITE void brief_heap(void) {
  ++block[3];
}

static void* first(void* none) {
  set_both();
  inv_post(1);
  return none;
}

static void* second(void* none) {
  inv_wait(1);
  brief_store();
  keep(brief_load());
  brief_heap();
  return none;
}

int main(void) {
  block = (long*)calloc(8, sizeof *block);
  keep_address(&stored);
  run_threads(first, second);
  free(block);
}
