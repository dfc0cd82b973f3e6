// Two threads store to memory from mmap.
// EXPECT: race
#include <sys/mman.h>

#include "../support/in_order.h"

char* page;

static void first(void) { page[100] = 1; }   // RACE A
static void second(void) { page[100] = 2; }  // RACE B

int main(void) {
  page = (char*)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  in_order(first, second);
  munmap(page, 4096);
  return 0;
}
