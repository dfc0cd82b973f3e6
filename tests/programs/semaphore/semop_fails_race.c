// Who finds a System V semaphore at zero, and does not wait, has received nothing.
// EXPECT: race
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int set;

static void first(void) {
  struct sembuf give = {0, 1, 0}, take = {0, -1, 0};
  x = 1;  // RACE A
  CHECK(semop(set, &give, 1) == 0 && semop(set, &take, 1) == 0);
}
static void second(void) {
  struct sembuf take = {0, -1, IPC_NOWAIT};
  CHECK(semop(set, &take, 1) == -1 && errno == EAGAIN);
  keep(x);  // RACE B
}

int main(void) {
  set = semget(IPC_PRIVATE, 1, 0600);
  CHECK(set >= 0);
  in_order(first, second);
  CHECK(semctl(set, 0, IPC_RMID) == 0);
  return 0;
}
