// Reads between the ignore annotations are not looked at.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

int x;

static void first(void) { x = 1; }
static void second(void) {
  CALL_HERE(AnnotateIgnoreReadsBegin);
  keep(x);
  CALL_HERE(AnnotateIgnoreReadsEnd);
}

int main(void) {
  in_order(first, second);
  return 0;
}
