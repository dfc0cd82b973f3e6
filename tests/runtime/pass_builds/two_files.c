// OUTPUT: 4950 4950 200
// WITH: two_files_other.c
#include "kind.h"

long add(volatile long* cell, long i);

long work(volatile long* shared, long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) sum += add(shared, i);
  return sum;
}
