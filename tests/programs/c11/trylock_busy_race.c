// mtx_trylock that fails acquires nothing.
// EXPECT: race
#include <threads.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE mtx_t mutex;

static void* first(void* unused) {
  mtx_lock(&mutex);
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  mtx_unlock(&mutex);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  CHECK(mtx_trylock(&mutex) == thrd_busy);
  keep(x);  // RACE B
  inv_post(2);
  return unused;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
