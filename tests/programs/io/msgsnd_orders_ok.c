// A message of a System V queue orders its receiver after its sender.
// EXPECT: none
#include <sys/ipc.h>
#include <sys/msg.h>

#include "../support/check.h"
#include "../support/in_order.h"

struct Message {
  long type;
  char byte;
};
ALONE int x;
int queue;

static void first(void) {
  const struct Message message = {1, 'x'};
  x = 1;
  CHECK(msgsnd(queue, &message, 1, 0) == 0);
}
static void second(void) {
  struct Message message;
  CHECK(msgrcv(queue, &message, 1, 0, 0) == 1);
  keep(x);
}

int main(void) {
  queue = msgget(IPC_PRIVATE, 0600);
  CHECK(queue >= 0);
  in_order(first, second);
  CHECK(msgctl(queue, IPC_RMID, 0) == 0);
  return 0;
}
