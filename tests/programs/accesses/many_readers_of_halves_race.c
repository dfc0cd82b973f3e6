// Eight threads have read one of two neighbours over and over, and some the other; main writes the
// first before it joins them.
// EXPECT: race
#include "../support/readers.h"

enum { kSize = 4000 };
struct {
  int first, second;
} table[kSize];

static void look(unsigned index) {
  keep(table[index].first);  // RACE A
  if (index % 3 == 0) keep(table[index].second);
}

int main(void) {
  for (int i = 0; i < kSize; ++i) table[i].first = table[i].second = opaque(i);
  struct Readers readers = {look, kSize, 20000, 8, {0}};
  readers_read(&readers);
  table[1].second = 1;
  table[0].first = 1;  // RACE B
  readers_join(&readers);
  return 0;
}
