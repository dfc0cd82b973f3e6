// OUTPUT: 5050 5050 200
#include <setjmp.h>

#include "kind.h"

__attribute__((noinline)) static void jump(jmp_buf* back, volatile long* shared, long i) {
  *shared += 1;
  longjmp(*back, (int)i + 1);
}

long work(volatile long* shared, long rounds) {
  volatile long sum = 0;
  for (volatile long i = 0; i < rounds; ++i) {
    jmp_buf back;
    const int got = setjmp(back);
    if (got == 0) jump(&back, shared, i);
    sum += got;
  }
  return sum;
}
