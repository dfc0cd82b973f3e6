// The reader blocks in read until the byte comes.
// EXPECT: none
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2], reader_tid;

static void* reader(void* unused) {
  char byte;
  __atomic_store_n(&reader_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(1);
  CHECK(read(ends[0], &byte, 1) == 1);
  keep(x);
  return unused;
}

int main(void) {
  pthread_t t;
  CHECK(pipe(ends) == 0);
  pthread_create(&t, 0, reader, 0);
  inv_wait(1);
  inv_wait_blocked(__atomic_load_n(&reader_tid, __ATOMIC_RELAXED));
  x = 1;
  CHECK(write(ends[1], "x", 1) == 1);
  pthread_join(t, 0);
  return 0;
}
