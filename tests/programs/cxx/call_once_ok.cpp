// std::call_once orders its function before every caller.
// EXPECT: none
#include <mutex>

#include "../support/in_order.h"

std::once_flag once;
int value;

static void use() {
  std::call_once(once, [] { value = 42; });
  keep(value);
}

int main() { in_order3(use, use, use); }
