// A pipe with a name has descriptors of its own at each end, and orders as others do.
// EXPECT: none
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int reader, writer;

static void first(void) {
  x = 1;
  CHECK(write(writer, "x", 1) == 1);
}
static void second(void) {
  char byte;
  CHECK(read(reader, &byte, 1) == 1);
  keep(x);
}

int main(void) {
  char folder[] = "/tmp/steward-pipe-XXXXXX";
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  CHECK(mkfifo("pipe", 0600) == 0);
  reader = open("pipe", O_RDONLY | O_NONBLOCK);
  writer = open("pipe", O_WRONLY);
  CHECK(unlink("pipe") == 0 && rmdir(folder) == 0);
  in_order(first, second);
  return 0;
}
