// sendmsg and recvmsg order as send and recv do.
// EXPECT: none
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2];

static void transfer(int send_it) {
  char byte = 'x';
  struct iovec part = {&byte, 1};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (send_it)
    CHECK(sendmsg(ends[0], &message, 0) == 1);
  else
    CHECK(recvmsg(ends[1], &message, 0) == 1);
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
