// A block grows again and again under a mutex, in turns by two threads.
// EXPECT: none
#include "../support/in_order.h"

int* block;
size_t size;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void grow(void) {
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&mutex);
    block = (int*)realloc(block, (size + 50) * sizeof *block);
    for (int j = 0; j < 50; ++j) block[size++] = j;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  in_order(grow, grow);
  free(block);
  return 0;
}
