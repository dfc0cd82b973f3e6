// Ways in which a thread obtains a pointer: its argument, an atomic load, a copy of memory. It never
// uses it; but then the owner's write without a lock and another thread's with one collide.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static volatile int turn;
__attribute__((no_sanitize("thread"), noinline)) static void wait_for(int n) {
  while (turn < n) {
  }
}
__attribute__((no_sanitize("thread"), noinline)) static void next_turn(void) {
  __asm__ volatile("lock incl %0" : "+m"(turn) : : "memory");
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(long*) published;
struct Box {
  long size, words[6];
  long* item;
};
static struct Box box;
static long *by_argument, *by_atomic, *by_copy;

__attribute__((noinline)) static int is_empty(const struct Box* b) {
  __asm__ volatile("" : : "r"(b) : "memory");
  return b->size == 0;
}
static void* obtain(void* argument) {
  struct Box mine;
  long* p = atomic_load_explicit(&published, memory_order_relaxed);
  memcpy(&mine, &box, sizeof mine);
  if (argument == NULL || p == NULL || !is_empty(&mine)) abort();
  next_turn();
  return NULL;
}
static void* use(void* unused) {
  (void)unused;
  wait_for(2);
  pthread_mutex_lock(&lock);
  *by_argument = 2;
  *by_atomic = 2;
  *by_copy = 2;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  long* one = calloc(1, sizeof(long));
  long* two = calloc(1, sizeof(long));
  long* three = calloc(1, sizeof(long));
  by_argument = one;
  by_atomic = two;
  by_copy = three;
  atomic_store_explicit(&published, two, memory_order_relaxed);
  box.item = three;
  pthread_create(&b, NULL, use, NULL);
  pthread_create(&a, NULL, obtain, one);
  wait_for(1);
  *one = 1;    // ARGUMENT
  *two = 1;    // ATOMIC
  *three = 1;  // COPY
  next_turn();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
