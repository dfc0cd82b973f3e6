// An unordered byte store is remembered while its seven neighbours are updated 200 times.
// EXPECT: race
#include "../support/in_order.h"

char bytes[8] __attribute__((aligned(8)));
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update_neighbours(void) {
  for (int round = 0; round < 100; ++round)
    for (int i = 1; i < 8; ++i) {
      pthread_mutex_lock(&mutex);
      ++bytes[opaque(i)];
      pthread_mutex_unlock(&mutex);
    }
}

static void first(void) { bytes[0] = 1; }  // RACE A
static void second(void) { update_neighbours(); }
static void third(void) { update_neighbours(); }
static void fourth(void) { keep(bytes[0]); }  // RACE B

int main(void) {
  in_order4(first, second, third, fourth);
  return 0;
}
