// A message over a pair of sockets, there and back.
// EXPECT: none
#include <sys/socket.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2];

static void* server(void* unused) {
  char byte;
  CHECK(recv(ends[1], &byte, 1, 0) == 1);
  x += 1;
  CHECK(send(ends[1], &byte, 1, 0) == 1);
  return unused;
}

int main(void) {
  pthread_t t;
  char byte = 'x';
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&t, 0, server, 0);
  x = 1;
  CHECK(send(ends[0], &byte, 1, 0) == 1);
  CHECK(recv(ends[0], &byte, 1, 0) == 1);
  x += 1;
  pthread_join(t, 0);
  return x == 3 ? 0 : 1;
}
