// A thread that uses the value without calling pthread_once is not ordered.
// EXPECT: race
#include "../support/in_order.h"

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
  value = 42;  // RACE A
}
static void first(void) { pthread_once(&once, make); }
static void second(void) { keep(value); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
