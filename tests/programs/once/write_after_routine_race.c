// What the first caller writes after pthread_once returned is not ordered for later callers.
// EXPECT: race
#include "../support/in_order.h"

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) { keep(0); }
static void first(void) {
  pthread_once(&once, make);
  value = 42;  // RACE A
}
static void second(void) {
  pthread_once(&once, make);
  keep(value);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
