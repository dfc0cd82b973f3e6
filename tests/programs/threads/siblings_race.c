// Two children of one parent are not ordered with each other.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void* first(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  return unused;
}
static void* second(void* unused) {
  x = 2;  // RACE B
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  inv_wait(1);
  pthread_create(&b, 0, second, 0);  // after the first's write, and yet not ordered after it
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
