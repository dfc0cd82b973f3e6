// A sixteen-byte vector store races with a store to its last float.
// EXPECT: race
#include "../support/in_order.h"

typedef float Vector __attribute__((vector_size(16)));
union {
  Vector vector;
  float lanes[4];
} v;

static void first(void) { v.vector = (Vector){1, 2, 3, 4}; }  // RACE A
static void second(void) { v.lanes[3] = 5; }                  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
