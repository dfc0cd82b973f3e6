// AnnotateHappensBefore and AnnotateHappensAfter on one address order two threads.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int token;

static void first(void) {
  x = 1;
  CALL_HERE(AnnotateHappensBefore, &token);
}
static void second(void) {
  CALL_HERE(AnnotateHappensAfter, &token);
  keep(x);
}

int main(void) {
  in_order(first, second);
  return 0;
}
