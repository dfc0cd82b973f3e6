// Eight threads have read a table over and over; main writes an entry before it joins them.
// EXPECT: race
#include "../support/readers.h"

enum { kSize = 4000 };
long table[kSize];

static void look(unsigned index) { keep(table[index]); }  // RACE A

int main(void) {
  for (int i = 0; i < kSize; ++i) table[i] = opaque(i);
  struct Readers readers = {look, kSize, 20000, 8, {0}};
  readers_read(&readers);
  table[0] = 1;  // RACE B
  readers_join(&readers);
  return 0;
}
