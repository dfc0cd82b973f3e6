// Eight threads have read what main wrote; then one that comes after neither writes it: it races
// with both.
// EXPECT: race 2
#include "../support/readers.h"

enum { kSize = 4000 };
long table[kSize];

static void look(unsigned index) { keep(table[index]); }  // RACE C

static void* late(void* argument) {
  inv_wait(20);
  table[0] = 1;  // RACE B|D
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
