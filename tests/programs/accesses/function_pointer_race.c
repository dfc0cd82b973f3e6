// A hook is replaced while another thread calls through it.
// EXPECT: race
#include "../support/in_order.h"

static NOINLINE void nothing(void) { keep(0); }
static NOINLINE void something(void) { keep(1); }
void (*hook)(void) = nothing;

static void first(void) { hook = something; }  // RACE A
static void second(void) { hook(); }           // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
