// OUTPUT: 5050 5050 200
#include "kind.h"

// asm that writes memory, and asm that jumps.
long work(volatile long* shared, long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long more = i;
    __asm__ volatile("incq %0" : "+m"(more) : : "memory", "cc");
    sum += more;
    __asm__ goto("testq %0, %0\n\tjz %l[zero]" : : "r"(i) : "cc" : zero);
    *shared += 1;
    continue;
  zero:
    *shared += 1;
  }
  return sum;
}
