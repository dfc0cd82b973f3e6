// Different elements of a vector are different memory locations.
// EXPECT: none
#include <vector>

#include "../support/in_order.h"

std::vector<char> values(64);

static void first() {
  for (std::size_t i = 0; i < 64; i += 2) values[i] = 1;
}
static void second() {
  for (std::size_t i = 1; i < 64; i += 2) values[i] = 2;
}

int main() { in_order(first, second); }
