// A destructor that sets its key again is called again; all of it comes before the join.
// EXPECT: none
#include "../support/in_order.h"

int calls;
pthread_key_t key;

static void destroy(void* value) {
  if (++calls < 4) pthread_setspecific(key, value);
}
static void* thread(void* unused) {
  pthread_setspecific(key, &calls);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  return calls == 4 ? 0 : 1;
}
