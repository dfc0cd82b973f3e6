// Two loops over different fields of the same structs do not race.
// EXPECT: none
#include "../support/in_order.h"

struct {
  int mine, yours, nobodys;
} structs[3000];

static void first(void) {
  const int n = opaque(3000);
  for (int i = 0; i < n; ++i) structs[i].mine = i;
}
static void second(void) {
  const int n = opaque(3000);
  for (int i = 0; i < n; ++i) structs[i].yours = i + 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
