// Different elements of vector<bool> share a memory location.
// EXPECT: race
#include <vector>

#include "../support/in_order.h"

std::vector<bool> values(64);

static void first() {
  values[3] = true;  // RACE A
}
static void second() {
  values[4] = true;  // RACE B
}

int main() { in_order(first, second); }
