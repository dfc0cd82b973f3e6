// A page is mapped anew over itself: the old accesses were to other memory.
// EXPECT: none
#include <sys/mman.h>

#include "../support/check.h"
#include "../support/in_order.h"

char* page;

static void use(void) {
  void* p =
      mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  CHECK(p == page);
  page[100] = 1;
}

int main(void) {
  page = (char*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  in_order(use, use);
  return 0;
}
