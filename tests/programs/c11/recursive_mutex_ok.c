// A recursive C11 mutex is given up by its last unlock.
// EXPECT: none
#include <threads.h>

#include "../support/in_order.h"

int x;
mtx_t mutex;

static void update(void) {
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  ++x;
  mtx_unlock(&mutex);
  ++x;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  in_order(update, update);
  return 0;
}
