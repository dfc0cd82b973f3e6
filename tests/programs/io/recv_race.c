// recv fills a buffer that another thread looks at.
// EXPECT: race
#include <sys/socket.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
int ends[2];

static void first(void) {
  CHECK(recv(ends[1], buffer, 16, 0) == 4);  // RACE A
}
static void second(void) { keep(buffer[3]); }  // RACE B

int main(void) {
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(send(ends[0], "abcd", 4, 0) == 4);
  in_order(first, second);
  return 0;
}
