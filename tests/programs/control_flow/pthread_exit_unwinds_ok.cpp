// pthread_exit unwinds the stack: destructors run, and unlock, before the thread ends.
// EXPECT: none
#include <mutex>

#include "../support/in_order.h"

int x;
std::mutex mutex;

static NOINLINE void update_and_leave() {
  std::lock_guard<std::mutex> guard(mutex);
  x += 1;
  if (opaque(1)) pthread_exit(nullptr);
}
static void* thread(void*) {
  update_and_leave();
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, thread, nullptr);
  pthread_create(&b, nullptr, thread, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return x == 2 ? 0 : 1;
}
