// Each kind of read-modify-write releases in one thread and acquires in the other.
// EXPECT: none
#include "../support/in_order.h"

ALONE int data[6];
ALONE int flag[6];

static void first(void) {
  for (int i = 0; i < 6; ++i) data[i] = i;
  __atomic_fetch_add(&flag[0], 1, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&flag[1], 1, __ATOMIC_RELEASE);
  __atomic_fetch_or(&flag[2], 1, __ATOMIC_RELEASE);
  __atomic_fetch_xor(&flag[3], 1, __ATOMIC_RELEASE);
  __atomic_fetch_nand(&flag[4], 1, __ATOMIC_RELEASE);
  __atomic_exchange_n(&flag[5], 1, __ATOMIC_RELEASE);
}

#define TAKE(i, operation)                          \
  static NOINLINE void take##i(void) {              \
    keep(operation(&flag[i], 1, __ATOMIC_ACQUIRE)); \
    keep(data[i]);                                  \
  }
TAKE(0, __atomic_fetch_and)
TAKE(1, __atomic_fetch_or)
TAKE(2, __atomic_fetch_xor)
TAKE(3, __atomic_fetch_nand)
TAKE(4, __atomic_exchange_n)
TAKE(5, __atomic_fetch_sub)

// Each thread does one take only: the first acquire must not cover for the others.
static void* thread(void* take) {
  inv_wait(1);
  ((void (*)(void))take)();
  return 0;
}

int main(void) {
  void (*takes[6])(void) = {take0, take1, take2, take3, take4, take5};
  pthread_t threads[6], producer;
  for (int i = 0; i < 6; ++i) pthread_create(&threads[i], 0, thread, (void*)takes[i]);
  pthread_create(&producer, 0, (void* (*)(void*))(void*)first, 0);
  pthread_join(producer, 0);
  inv_post(1);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], 0);
  return 0;
}
