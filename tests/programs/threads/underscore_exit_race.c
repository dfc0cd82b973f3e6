// _exit skips the handlers but not the report.
// EXPECT: race
// EXIT: 5
#include <unistd.h>

#include "../support/in_order.h"

int x;

static void first(void) { x = 1; }   // RACE A
static void second(void) { x = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  _exit(5);
}
