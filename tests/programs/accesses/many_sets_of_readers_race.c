// Twenty threads have each read other entries of a large table: nearly every entry has readers of
// its own. Main writes one before it joins them.
// EXPECT: race
#include "../support/readers.h"

enum { kSize = 40000 };
long table[kSize];

static void look(unsigned index) { keep(table[index]); }  // RACE A

int main(void) {
  for (int i = 0; i < kSize; ++i) table[i] = opaque(i);
  struct Readers readers = {look, kSize, 40000, 20, {0}};
  readers_read(&readers);
  table[0] = 1;  // RACE B
  readers_join(&readers);
  return 0;
}
