// After the end of the annotation accesses count again.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int y;

static void first(void) {
  CALL_HERE(AnnotateIgnoreWritesBegin);
  CALL_HERE(AnnotateIgnoreWritesBegin);
  x = 1;
  CALL_HERE(AnnotateIgnoreWritesEnd);
  x = 2;
  CALL_HERE(AnnotateIgnoreWritesEnd);
  y = 1;  // RACE A
}
static void second(void) {
  keep(x);
  keep(y);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
