// Peterson's lock for two threads, sequentially consistent.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
ALONE int data;

static void count(int me) {
  for (int i = 0; i < 20; ++i) {
    wants[me] = true;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me) inv_yield();
    data += 1;
    wants[me] = false;
  }
}
static void* thread(void* me) {
  count(me == nullptr ? 0 : 1);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, thread, nullptr);
  pthread_create(&b, nullptr, thread, &data);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return data == 40 ? 0 : 1;
}
