// The child writes what a thread of the parent wrote: its copy has no other thread any more.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;
  inv_post(1);
  inv_wait(2);
  return unused;
}

int main(void) {
  pthread_t t;
  int status = 0;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    x += 1;
    _exit(x == 2 ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  inv_post(2);
  pthread_join(t, 0);
  return 0;
}
