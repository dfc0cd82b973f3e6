// The free functions atomic_store and atomic_load publish a shared_ptr.
// EXPECT: none
#include <memory>

#include "../support/in_order.h"

struct Configuration {
  int value = 42;
};
std::shared_ptr<Configuration> current;

static void first() { std::atomic_store(&current, std::make_shared<Configuration>()); }
static void second() {
  std::shared_ptr<Configuration> mine = std::atomic_load(&current);
  keep(mine->value);
}

int main() {
  current = std::make_shared<Configuration>();
  in_order3(first, second, first);
}
