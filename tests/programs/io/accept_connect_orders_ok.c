// Who accepts a connection is ordered after who made it.
// EXPECT: none
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int listener;
struct sockaddr_in address;

static void* client(void* unused) {
  int s = socket(AF_INET, SOCK_STREAM, 0);
  x = 1;
  CHECK(connect(s, (struct sockaddr*)&address, sizeof address) == 0);
  CHECK(write(s, "x", 1) == 1);
  close(s);
  return unused;
}

int main(void) {
  pthread_t t;
  socklen_t size = sizeof address;
  char byte;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(listener, (struct sockaddr*)&address, sizeof address) == 0);
  CHECK(listen(listener, 1) == 0);
  CHECK(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  pthread_create(&t, 0, client, 0);
  int s = accept(listener, 0, 0);
  CHECK(read(s, &byte, 1) == 1);
  x += 1;
  pthread_join(t, 0);
  return 0;
}
