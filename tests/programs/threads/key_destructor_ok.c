// A thread-specific key's destructor runs in the thread: the join orders what it wrote.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_key_t key;

static void destroy(void* value) { *(int*)value = 2; }
static void* thread(void* unused) {
  x = 1;
  pthread_setspecific(key, &x);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  return x == 2 ? 0 : 1;
}
