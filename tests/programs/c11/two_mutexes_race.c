// Two C11 mutexes do not order each other's sections.
// EXPECT: race
#include <threads.h>

#include "../support/in_order.h"

int x;
mtx_t a, b;

static void first(void) {
  mtx_lock(&a);
  x = 1;  // RACE A
  mtx_unlock(&a);
}
static void second(void) {
  mtx_lock(&b);
  x = 2;  // RACE B
  mtx_unlock(&b);
}

int main(void) {
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  in_order(first, second);
  return 0;
}
