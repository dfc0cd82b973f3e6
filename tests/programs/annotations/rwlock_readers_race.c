// Under the program's own lock two readers, one of which writes.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int lock;

static void first(void) {
  CALL_HERE(AnnotateRWLockAcquired, &lock, 0);
  x = 1;  // RACE A
  CALL_HERE(AnnotateRWLockReleased, &lock, 0);
}
static void second(void) {
  CALL_HERE(AnnotateRWLockAcquired, &lock, 0);
  keep(x);  // RACE B
  CALL_HERE(AnnotateRWLockReleased, &lock, 0);
}

int main(void) {
  CALL_HERE(AnnotateRWLockCreate, &lock);
  in_order(first, second);
  return 0;
}
