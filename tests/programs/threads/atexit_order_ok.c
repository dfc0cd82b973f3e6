// Exit handlers run last registered first, in the thread that exits.
// EXPECT: none
// STDOUT: 321
#include <stdio.h>

#include "../support/in_order.h"

int digits;

static void add(int digit) { digits = 10 * digits + digit; }
static void one(void) {
  add(1);
  printf("%d\n", digits);
}
static void two(void) { add(2); }
static void three(void) { add(3); }
static void nothing(void) { keep(0); }

int main(void) {
  atexit(one);
  atexit(two);
  atexit(three);
  in_order(nothing, nothing);
  return 0;
}
