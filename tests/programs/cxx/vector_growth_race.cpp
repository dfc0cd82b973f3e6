// A vector grows and moves its elements while another thread reads one.
// EXPECT: race
#include <vector>

#include "../support/in_order.h"

std::vector<int> values;
int* element;

static void first() {
  keep(*element);  // RACE A
}
static void second() {
  values.push_back(2);  // RACE B
}

int main() {
  values.assign(1, 1);
  values.shrink_to_fit();
  element = values.data();
  in_order(first, second);
}
