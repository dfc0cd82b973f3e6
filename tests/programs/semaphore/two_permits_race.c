// A semaphore with two permits lets two threads in at once: it is no lock.
// EXPECT: race
#include <semaphore.h>

#include "../support/in_order.h"

ALONE int x;
ALONE sem_t semaphore;

static void* first(void* unused) {
  sem_wait(&semaphore);
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  sem_post(&semaphore);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  sem_wait(&semaphore);
  x = 2;  // RACE B
  sem_post(&semaphore);
  inv_post(2);
  return unused;
}

int main(void) {
  sem_init(&semaphore, 0, 2);
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
