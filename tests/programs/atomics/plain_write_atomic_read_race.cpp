// A plain store races with an atomic load of the same object.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first() { x = 1; }                                         // RACE A
static void second() { keep(__atomic_load_n(&x, __ATOMIC_ACQUIRE)); }  // RACE B

int main() { in_order(first, second); }
