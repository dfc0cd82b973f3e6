// A race declared benign is not reported.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

int statistics;

static void update(void) { statistics += 1; }

int main(void) {
  CALL_HERE(AnnotateBenignRaceSized, &statistics, sizeof statistics, "approximate on purpose");
  in_order(update, update);
  return 0;
}
