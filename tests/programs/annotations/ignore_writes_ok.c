// Writes between the ignore annotations are not looked at.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

int x;

static void update(void) {
  CALL_HERE(AnnotateIgnoreWritesBegin);
  x = 1;
  CALL_HERE(AnnotateIgnoreWritesEnd);
}

int main(void) {
  in_order(update, update);
  return 0;
}
