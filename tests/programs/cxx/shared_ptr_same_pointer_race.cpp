// One shared_ptr object is copied in one thread and reset in another.
// EXPECT: race
#include <memory>

#include "../support/in_order.h"

std::shared_ptr<int> shared;

static void first() {
  std::shared_ptr<int> copy = shared;  // RACE A
  keep_address(copy.get());
  inv_post(100);
}
static void second() {
  shared.reset();  // RACE B
}

int main() {
  shared = std::make_shared<int>(1);
  in_order(first, second);
}
