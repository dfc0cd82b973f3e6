// A loop over one field of each struct of an array races with that field.
// EXPECT: race
#include "../support/in_order.h"

struct {
  int mine, yours, nobodys;
} structs[3000];

static void first(void) {
  const int n = opaque(3000);
  for (int i = 0; i < n; ++i) structs[i].mine = i;  // RACE A
}
static void second(void) {
  keep(structs[2999].mine);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
