// The count is atomic, the object is not: two owners store to it.
// EXPECT: race
#include <memory>

#include "../support/in_order.h"

std::shared_ptr<int> a, b;

static void first() { *a = 1; }   // RACE A
static void second() { *b = 2; }  // RACE B

int main() {
  a = b = std::make_shared<int>(0);
  in_order(first, second);
}
