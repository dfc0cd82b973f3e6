// Operations that the kernel does not look at are not looked at: there may be none.
// EXPECT: none
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE struct {
  struct sembuf one;
  char rest[64];
} shared;
int set;

static void first(void) {
  struct sembuf* volatile none = NULL;  // or the compiler warns
  volatile size_t many = (size_t)1 << 40;
  shared.one = (struct sembuf){0, 1, 0};
  CHECK(semop(set, none, 1) == -1 && errno == EFAULT);
  CHECK(semop(set, &shared.one, many) == -1);
  CHECK(semop(set, &shared.one, 1 << 17) == -1);
}
static void second(void) {
  shared.rest[10] = 1;
}

int main(void) {
  set = semget(IPC_PRIVATE, 1, 0600);
  CHECK(set >= 0);
  in_order(first, second);
  CHECK(semctl(set, 0, IPC_RMID) == 0);
  return 0;
}
