// A named semaphore orders as an unnamed one.
// EXPECT: none
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
sem_t* semaphore;

static void first(void) {
  x = 1;
  sem_post(semaphore);
}
static void second(void) {
  sem_wait(semaphore);
  keep(x);
}

int main(void) {
  char name[64];
  snprintf(name, sizeof name, "/race-test-%d", (int)getpid());
  semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  CHECK(semaphore != SEM_FAILED);
  sem_unlink(name);
  in_order(first, second);
  sem_close(semaphore);
  return 0;
}
