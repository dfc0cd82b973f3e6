// A loop that waits in epoll and then reads the pipe is ordered after the writer.
// EXPECT: none
#include <sys/epoll.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2], poller;

static void first(void) {
  x = 1;
  CHECK(write(ends[1], "x", 1) == 1);
}
static void second(void) {
  struct epoll_event event;
  char byte;
  CHECK(epoll_wait(poller, &event, 1, -1) == 1);
  CHECK(read(event.data.fd, &byte, 1) == 1);
  keep(x);
}

int main(void) {
  struct epoll_event event = {.events = EPOLLIN};
  CHECK(pipe(ends) == 0);
  poller = epoll_create1(0);
  event.data.fd = ends[0];
  CHECK(epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event) == 0);
  in_order(first, second);
  return 0;
}
