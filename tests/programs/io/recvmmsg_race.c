// recvmmsg writes the bytes that arrive, of each message.
// EXPECT: race
// FLAGS: -D_GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE char bytes[2];
int ends[2];

static void first(void) {
  struct iovec parts[2] = {{&bytes[0], 1}, {&bytes[1], 1}};
  struct mmsghdr messages[2];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < 2; ++i) {
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  CHECK(recvmmsg(ends[1], messages, 2, 0, NULL) == 2);  // RACE A
}
static void second(void) {
  keep(bytes[1]);  // RACE B
}

int main(void) {
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  CHECK(write(ends[0], "x", 1) == 1 && write(ends[0], "y", 1) == 1);
  in_order(first, second);
  return 0;
}
