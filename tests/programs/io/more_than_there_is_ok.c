// A size that no memory has is refused: nothing is read.
// EXPECT: none
#include <errno.h>
#include <limits.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE char bytes[64];

static void first(void) {
  int ends[2];
  volatile size_t size = SSIZE_MAX;  // or the compiler warns
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], bytes, size) == -1 && errno == EFAULT);
  const int queue = msgget(IPC_PRIVATE, 0600);
  CHECK(queue >= 0);
  CHECK(msgsnd(queue, bytes, size, 0) == -1 && errno == EINVAL);
  CHECK(msgctl(queue, IPC_RMID, NULL) == 0);
}
static void second(void) {
  bytes[0] = 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
