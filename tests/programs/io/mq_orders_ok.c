// A message of a queue orders its receiver after its sender, each with a descriptor of its own.
// EXPECT: none
// FLAGS: -lrt
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x, y;
mqd_t sender, receiver;

static void first(void) {
  x = 1;
  CHECK(mq_send(sender, "x", 1, 0) == 0);
}
static void second(void) {
  const struct timespec far = {.tv_sec = 4000000000};
  char byte;
  CHECK(mq_receive(receiver, &byte, 1, NULL) == 1);
  keep(x);
  y = 1;
  CHECK(mq_timedsend(sender, "y", 1, 0, &far) == 0);
}
static void third(void) {
  const struct timespec far = {.tv_sec = 4000000000};
  char byte;
  CHECK(mq_timedreceive(receiver, &byte, 1, NULL, &far) == 1);
  keep(y);
}

int main(void) {
  char name[64];
  struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 1};
  snprintf(name, sizeof name, "/steward-%d", (int)getpid());
  sender = mq_open(name, O_CREAT | O_WRONLY, 0600, &small);
  receiver = mq_open(name, O_RDONLY);
  CHECK(sender >= 0 && receiver >= 0 && mq_unlink(name) == 0);
  in_order3(first, second, third);
  return 0;
}
