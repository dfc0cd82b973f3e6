// A key's destructor writes what another thread reads.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_key_t key;

static void destroy(void* value) {
  *(int*)value = 2;  // RACE A
  inv_post(1);
}
static void* thread(void* unused) {
  pthread_setspecific(key, &x);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  keep(x);  // RACE B
  pthread_join(t, 0);
  return 0;
}
