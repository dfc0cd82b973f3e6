// A std::function is replaced while another thread calls it.
// EXPECT: race
#include <functional>

#include "../support/in_order.h"

std::function<void()> hook = [] { keep(1); };

static void first() {
  hook();  // RACE A
}
static void second() {
  hook = nullptr;  // RACE B
}

int main() { in_order(first, second); }
