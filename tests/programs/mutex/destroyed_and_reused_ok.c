// The memory of a destroyed mutex serves a new one; each orders its own users.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t* mutex;

static void update(void) {
  pthread_mutex_lock(mutex);
  ++x;
  pthread_mutex_unlock(mutex);
}

int main(void) {
  mutex = (pthread_mutex_t*)malloc(sizeof *mutex);
  for (int round = 0; round < 20; ++round) {
    pthread_mutex_init(mutex, 0);
    inv_post(0);
    in_order(update, update);
    pthread_mutex_destroy(mutex);
  }
  free(mutex);
  return 0;
}
