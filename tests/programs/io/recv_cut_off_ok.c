// A message that is cut off fills the buffer and no more, though MSG_TRUNC says how long it was.
// EXPECT: none
#include <sys/socket.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE char bytes[64];
int ends[2];

static void first(void) {
  CHECK(recv(ends[1], bytes, 1, MSG_TRUNC) == 64);
  CHECK(recvfrom(ends[1], bytes, 1, MSG_TRUNC, NULL, NULL) == 64);
}
static void second(void) {
  bytes[40] = 1;
}

int main(void) {
  const char message[64] = {0};
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  for (int i = 0; i < 2; ++i) CHECK(send(ends[0], message, sizeof message, 0) == 64);
  in_order(first, second);
  return 0;
}
