// One thread allocates, hands over by a semaphore, the other frees; the memory is used again.
// EXPECT: none
#include <semaphore.h>

#include "../support/in_order.h"

char* slot;
sem_t full, empty;

static void* make(void* unused) {
  for (int i = 0; i < 100; ++i) {
    char* block = (char*)malloc(100);
    for (int j = 0; j < 100; ++j) block[j] = (char)j;
    sem_wait(&empty);
    slot = block;
    sem_post(&full);
  }
  return unused;
}
static void* take(void* unused) {
  for (int i = 0; i < 100; ++i) {
    sem_wait(&full);
    char* block = slot;
    sem_post(&empty);
    keep(block[99]);
    free(block);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_create(&a, 0, make, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
