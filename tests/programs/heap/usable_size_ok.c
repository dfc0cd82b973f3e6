// The whole usable size of a block belongs to it.
// EXPECT: none
#include <malloc.h>

#include "../support/in_order.h"

static void use(void) {
  for (size_t size = 1; size < 300; size += 7) {
    char* block = (char*)malloc(size);
    size_t usable = malloc_usable_size(block);
    keep_address(block);
    for (size_t i = 0; i < (usable < size ? usable : size); ++i) block[i] = (char)i;
    free(block);
  }
}

int main(void) {
  in_order(use, use);
  return 0;
}
