// A thread that epoll_pwait2 hands a descriptor is ordered after the one that put it there.
// EXPECT: none
// FLAGS: -D_GNU_SOURCE
#include <sys/epoll.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2], poller;

static void first(void) {
  struct epoll_event event = {.events = EPOLLIN};
  x = 1;
  CHECK(epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event) == 0);
}
static void second(void) {
  const struct timespec hour = {.tv_sec = 3600};
  struct epoll_event event;
  CHECK(epoll_pwait2(poller, &event, 1, &hour, NULL) == 1);
  keep(x);
}

int main(void) {
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], "x", 1) == 1);
  poller = epoll_create1(0);
  in_order(first, second);
  return 0;
}
