// A third thread looks at the queue's size without the lock.
// EXPECT: race
#include "../support/in_order.h"

int items[3], count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void produce(void) {
  pthread_mutex_lock(&mutex);
  items[count] = 7;
  count += 1;  // RACE A
  pthread_mutex_unlock(&mutex);
}
static void peek(void) { keep(count); }  // RACE B

int main(void) {
  in_order(produce, peek);
  return 0;
}
