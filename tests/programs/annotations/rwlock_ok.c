// A program's own reader-writer lock, described by the AnnotateRWLock calls.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int lock;

static void write_it(void) {
  CALL_HERE(AnnotateRWLockAcquired, &lock, 1);
  ++x;
  CALL_HERE(AnnotateRWLockReleased, &lock, 1);
}
static void read_it(void) {
  CALL_HERE(AnnotateRWLockAcquired, &lock, 0);
  keep(x);
  CALL_HERE(AnnotateRWLockReleased, &lock, 0);
}

int main(void) {
  CALL_HERE(AnnotateRWLockCreate, &lock);
  in_order4(write_it, read_it, read_it, write_it);
  CALL_HERE(AnnotateRWLockDestroy, &lock);
  return 0;
}
