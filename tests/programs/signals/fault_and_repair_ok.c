// The fault's handler makes the page writable and the store is done again.
// EXPECT: none
#include <signal.h>
#include <sys/mman.h>

#include "../support/check.h"
#include "../support/in_order.h"

static char* page;

static void handle(int signal_number) {
  (void)signal_number;
  CHECK(mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
}

int main(void) {
  page = (char*)mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal(SIGSEGV, handle);
  page[opaque(5)] = 7;
  return page[opaque(5)] == 7 ? 0 : 1;
}
