// The second caller blocks while the first still initialises the static local.
// EXPECT: none
#include "../support/in_order.h"

int second_tid;

struct Object {
  int value;
  Object() {
    inv_post(1);
    inv_wait(2);
    inv_wait_blocked(__atomic_load_n(&second_tid, __ATOMIC_RELAXED));
    value = 42;
  }
};
static NOINLINE Object& get() {
  static Object object;
  return object;
}
static void* first(void*) {
  keep(get().value);
  return nullptr;
}
static void* second(void*) {
  inv_wait(1);
  __atomic_store_n(&second_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(2);
  keep(get().value);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, first, nullptr);
  pthread_create(&b, nullptr, second, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
