// strcmp and strncmp need not look beyond the first difference or their limit.
// EXPECT: none
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char a[32] = "abcdefghijklmnop", b[32] = "abXdefghijklmnop";

static void first(void) { a[12] = 'x'; }
static void second(void) {
  keep(strcmp(a, b));
  keep(strncmp(a, "abcdefghijklmnop", 8));
}

int main(void) {
  in_order(first, second);
  return 0;
}
