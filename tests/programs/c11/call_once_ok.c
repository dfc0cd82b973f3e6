// call_once orders its routine before every caller.
// EXPECT: none
#include <threads.h>

#include "../support/in_order.h"

int value;
once_flag once = ONCE_FLAG_INIT;

static void make(void) { value = 42; }
static void use(void) {
  call_once(&once, make);
  keep(value);
}

int main(void) {
  in_order3(use, use, use);
  return 0;
}
