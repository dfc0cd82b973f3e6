// OUTPUT: 300 300 200
#include "kind.h"

// An interpreter of three instructions.
long work(volatile long* shared, long rounds) {
  static const void* const kCode[] = {&&add, &&store, &&next};
  static const unsigned char kProgram[] = {0, 1, 0, 0, 2};
  long sum = 0, left = rounds;
  const unsigned char* at = kProgram;
  goto* kCode[*at++];
add:
  ++sum;
  goto* kCode[*at++];
store:
  *shared += 1;
  goto* kCode[*at++];
next:
  at = kProgram;
  if (--left > 0) goto* kCode[*at++];
  return sum;
}
