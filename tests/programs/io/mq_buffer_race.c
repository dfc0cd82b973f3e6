// A message that is received writes its buffer; one queue does not order what goes through another.
// EXPECT: race
// FLAGS: -lrt
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE char byte;
mqd_t queues[2];

static void first(void) {
  CHECK(mq_receive(queues[0], &byte, 1, NULL) == 1);  // RACE A
  CHECK(mq_send(queues[0], "x", 1, 0) == 0);
}
static void second(void) {
  char other;
  CHECK(mq_receive(queues[1], &other, 1, NULL) == 1);
  keep(byte);  // RACE B
}

int main(void) {
  struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 1};
  for (int i = 0; i < 2; ++i) {
    char name[64];
    snprintf(name, sizeof name, "/steward-%d-%d", i, (int)getpid());
    queues[i] = mq_open(name, O_CREAT | O_RDWR, 0600, &small);
    CHECK(queues[i] >= 0 && mq_unlink(name) == 0 && mq_send(queues[i], "x", 1, 0) == 0);
  }
  in_order(first, second);
  return 0;
}
