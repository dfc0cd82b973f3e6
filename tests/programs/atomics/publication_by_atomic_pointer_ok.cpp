// An object on the heap is published through an atomic pointer.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

struct Object {
  int value;
};
std::atomic<Object*> published{nullptr};

static void first() { published.store(new Object{42}, std::memory_order_release); }
static void second() {
  Object* object = published.load(std::memory_order_acquire);
  keep(object->value);
  delete object;
}

int main() { in_order(first, second); }
