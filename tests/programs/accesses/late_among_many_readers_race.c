// Eight threads have read a table over and over, all after it was written; then one reads it that
// does not come after.
// EXPECT: race
#include "../support/readers.h"

enum { kSize = 4000 };
long table[kSize];

static void look(unsigned index) { keep(table[index]); }

static void* late(void* argument) {
  inv_wait(20);
  keep(table[77]);  // RACE B
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, late, 0) != 0) abort();
  for (int i = 0; i < kSize; ++i) table[i] = opaque(i);  // RACE A
  struct Readers readers = {look, kSize, 20000, 8, {0}};
  readers_read(&readers);
  inv_post(20);
  pthread_join(thread, 0);
  readers_join(&readers);
  return 0;
}
