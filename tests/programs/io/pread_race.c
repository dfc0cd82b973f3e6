// pread fills a buffer that another thread stored to.
// EXPECT: race
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
int file;

static void first(void) { buffer[3] = 1; }  // RACE A
static void second(void) {
  CHECK(pread(file, buffer, 8, 2) == 8);  // RACE B
}

int main(void) {
  file = memfd_create("race", 0);
  CHECK(pwrite(file, "0123456789", 10, 0) == 10);
  in_order(first, second);
  return 0;
}
