// A global object is destroyed after main while a thread that used it was never joined.
// EXPECT: race
#include "../support/in_order.h"

struct Counter {
  int value = 0;
  ~Counter() {
    value = -1;  // RACE B
    keep_address(this);
  }
} counter;

static void* thread(void*) {
  counter.value = 1;  // RACE A
  inv_post(1);
  inv_wait(1000);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, thread, nullptr);
  inv_wait(1);
}
