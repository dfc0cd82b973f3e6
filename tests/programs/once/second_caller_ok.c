// Who calls pthread_once later is ordered after the routine it did not run.
// EXPECT: none
#include "../support/in_order.h"

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) { value = 42; }
static void use(void) {
  pthread_once(&once, make);
  keep(value);
}

int main(void) {
  in_order3(use, use, use);
  return 0;
}
