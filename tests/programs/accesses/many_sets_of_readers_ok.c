// Twenty threads have each read other entries of a large table: nearly every entry has readers of
// its own. Main changes all of it once they have ended.
// EXPECT: none
#include "../support/readers.h"

enum { kSize = 40000 };
long table[kSize];

static void look(unsigned index) { keep(table[index]); }

int main(void) {
  for (int i = 0; i < kSize; ++i) table[i] = opaque(i);
  struct Readers readers = {look, kSize, 40000, 20, {0}};
  readers_read(&readers);
  readers_join(&readers);
  for (int i = 0; i < kSize; ++i) table[i] = opaque(i) + 1;
  return 0;
}
