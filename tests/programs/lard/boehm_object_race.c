// A race on an object of the Boehm collector is found across a collection, which stops and starts every
// thread but orders nothing in the program.
// EXPECT: race
// FLAGS: -lgc
#include "boehm.h"

#include "../support/in_order.h"

struct Node {
  struct Node* next;
  long n;
};
struct Node* shared;

static void first(void) {
  for (int i = 0; i < 1000; ++i) gc_new(sizeof(struct Node));
  shared->n = 1;  // RACE A
  gc_collect();
}
static void second(void) {
  gc_collect();
  for (int i = 0; i < 1000; ++i) gc_new(sizeof(struct Node));
  shared->n = 2;  // RACE B
}

int main(void) {
  GC_INIT();
  shared = (struct Node*)gc_new(sizeof(struct Node));
  in_order(first, second);
  return 0;
}
