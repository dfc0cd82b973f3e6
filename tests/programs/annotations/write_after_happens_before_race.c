// What is written after the announcement is not ordered by it.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int token;

static void first(void) {
  CALL_HERE(AnnotateHappensBefore, &token);
  x = 1;  // RACE A
}
static void second(void) {
  CALL_HERE(AnnotateHappensAfter, &token);
  keep(x);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
