// Who takes from a System V semaphore comes after who gave, and after who set its value.
// EXPECT: none
#include <sys/ipc.h>
#include <sys/sem.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x, y;
int set;

static void first(void) {
  struct sembuf give = {0, 1, 0};
  x = 1;
  CHECK(semop(set, &give, 1) == 0);
}
static void second(void) {
  struct sembuf take = {0, -1, 0};
  CHECK(semop(set, &take, 1) == 0);
  keep(x);
  y = 1;
  CHECK(semctl(set, 0, SETVAL, 1) == 0);
}
static void third(void) {
  struct sembuf take = {0, -1, 0};
  CHECK(semop(set, &take, 1) == 0);
  keep(y);
}

int main(void) {
  set = semget(IPC_PRIVATE, 1, 0600);
  CHECK(set >= 0);
  in_order3(first, second, third);
  CHECK(semctl(set, 0, IPC_RMID) == 0);
  return 0;
}
