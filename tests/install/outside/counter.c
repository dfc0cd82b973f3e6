#include "counter.h"

int counter;

void count(void) {
  counter += 1;
}
