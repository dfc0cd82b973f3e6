// sendmmsg and recvmmsg order as send and recv do.
// EXPECT: none
// FLAGS: -D_GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2];

static void transfer(int send_it) {
  char bytes[2] = "xy";
  struct iovec parts[2] = {{&bytes[0], 1}, {&bytes[1], 1}};
  struct mmsghdr messages[2];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < 2; ++i) {
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  if (send_it)
    CHECK(sendmmsg(ends[0], messages, 2, 0) == 2);
  else
    CHECK(recvmmsg(ends[1], messages, 2, 0, NULL) == 2 && messages[1].msg_len == 1);
}
static void first(void) {
  x = 1;
  transfer(1);
}
static void second(void) {
  transfer(0);
  keep(x);
}

int main(void) {
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  in_order(first, second);
  return 0;
}
