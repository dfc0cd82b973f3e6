// A string is assigned while another thread reads its characters.
// EXPECT: race
#include <string>

#include "../support/in_order.h"

std::string text = "short";

static void first() {
  keep(text[0]);  // RACE A
}
static void second() {
  text[0] = 'S';  // RACE B
}

int main() { in_order(first, second); }
