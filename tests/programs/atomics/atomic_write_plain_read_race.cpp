// An atomic store, even a sequentially consistent one, races with a plain load.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first() { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); }  // RACE A
static void second() { keep(x); }                                   // RACE B

int main() { in_order(first, second); }
