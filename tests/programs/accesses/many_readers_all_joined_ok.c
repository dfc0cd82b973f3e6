// Eight threads have read a table over and over; main changes all of it once they have ended.
// EXPECT: none
#include "../support/readers.h"

enum { kSize = 4000 };
struct {
  long word;
  int half;
  char bytes[4];
} table[kSize];

static void look(unsigned index) {
  keep(table[index].word);
  keep(table[index].half);
  if (index % 2 == 0) keep(table[index].bytes[index % 4]);
}

int main(void) {
  for (int i = 0; i < kSize; ++i) table[i].word = table[i].half = opaque(i);
  struct Readers readers = {look, kSize, 20000, 8, {0}};
  readers_read(&readers);
  readers_join(&readers);
  for (int i = 0; i < kSize; ++i) {
    table[i].word = 0;
    table[i].half = 0;
    table[i].bytes[i % 4] = 0;
  }
  return 0;
}
