// mtx_trylock that succeeds is a lock.
// EXPECT: none
#include <threads.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
mtx_t mutex;

static void update(void) {
  CHECK(mtx_trylock(&mutex) == thrd_success);
  ++x;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  in_order(update, update);
  return 0;
}
