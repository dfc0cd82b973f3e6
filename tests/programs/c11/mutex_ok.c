// Two POSIX threads under a C11 mutex.
// EXPECT: none
#include <threads.h>

#include "../support/in_order.h"

int x;
mtx_t mutex;

static void update(void) {
  mtx_lock(&mutex);
  ++x;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  in_order(update, update);
  mtx_destroy(&mutex);
  return 0;
}
