// A program's own allocator says that memory starts a new life.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE long arena[32];

static void first(void) {
  for (int i = 0; i < 32; ++i) arena[opaque(i)] = 1;
}
static void second(void) {
  CALL_HERE(AnnotateNewMemory, arena, sizeof arena);
  for (int i = 0; i < 32; ++i) arena[opaque(i)] = 2;
}

int main(void) {
  in_order(first, second);
  return 0;
}
