// Two threads announce on one address; who comes after is ordered after both.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int a;
ALONE int b;
ALONE int token;

static void first(void) {
  a = 1;
  CALL_HERE(AnnotateHappensBefore, &token);
}
static void second(void) {
  b = 1;
  CALL_HERE(AnnotateHappensBefore, &token);
}
static void third(void) {
  CALL_HERE(AnnotateHappensAfter, &token);
  keep(a + b);
}

int main(void) {
  in_order3(first, second, third);
  return 0;
}
