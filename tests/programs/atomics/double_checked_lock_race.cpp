// Double-checked locking with a plain pointer: the first check races, and so does the object.
// EXPECT: race 2
#include <mutex>

#include "../support/in_order.h"

struct Singleton {
  int value;
};
ALONE Singleton storage;
ALONE Singleton* instance;
ALONE std::mutex mutex;

static Singleton* get() {
  if (instance == nullptr) {  // RACE B
    std::lock_guard<std::mutex> guard(mutex);
    if (instance == nullptr) {
      storage.value = 42;   // RACE C
      instance = &storage;  // RACE A
    }
  }
  return instance;  // RACE B
}
static void use() {
  keep(get()->value);  // RACE D
}

int main() { in_order(use, use); }
