// A store to the same address in every round, which aliases keep in the loop.
// EXPECT: race
// ONLY: clang (gcc moves the store, and names another line)
#include "../support/in_order.h"

int numbers[3000];
int last;

static __attribute__((noinline)) void fill(int* to, int* at, int n) {
  for (int i = 0; i < n; ++i) {
    to[i] = i;
    *at = i;  // RACE A
  }
}
static void first(void) {
  fill(numbers, &last, opaque(3000));
}
static void second(void) {
  keep(last);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
