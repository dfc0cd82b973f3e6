// Two once-controls for the same value.
// EXPECT: race
#include "../support/in_order.h"

int value;
pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;

static void make(void) {
  value = 42;  // RACE A|B
}
static void first(void) { pthread_once(&a, make); }
static void second(void) { pthread_once(&b, make); }

int main(void) {
  in_order(first, second);
  return 0;
}
