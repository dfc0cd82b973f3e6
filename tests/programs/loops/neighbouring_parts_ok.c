// Two loops over parts of an array of bytes that meet inside a word: neither touches the other's.
// EXPECT: none
#include "../support/in_order.h"

unsigned char bytes[8000];

static void first(void) {
  const int n = opaque(4003);
  for (int i = 0; i < n; ++i) bytes[i] = (unsigned char)i;
}
static void second(void) {
  const int n = opaque(8000);
  for (int i = opaque(4003); i < n; ++i) bytes[i] = (unsigned char)(i + 1);
}

int main(void) {
  in_order(first, second);
  return 0;
}
