// A page is unmapped and mapped again at the same place by a thread with no order to the first.
// EXPECT: none
#include <sys/mman.h>

#include "../support/check.h"
#include "../support/in_order.h"

char* const kPlace = (char*)0x7e8000000000;

static void use(void) {
  char* page = (char*)mmap(kPlace, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(page == kPlace);
  for (int i = 0; i < 4096; ++i) page[i] = (char)i;
  CHECK(munmap(page, 4096) == 0);
}

int main(void) {
  in_order3(use, use, use);
  return 0;
}
