// The child becomes another program, from a process with threads.
// EXPECT: none
// STDOUT: from echo
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

static void* idle(void* unused) {
  inv_wait(1);
  return unused;
}

int main(void) {
  pthread_t t;
  int status = 0;
  pthread_create(&t, 0, idle, 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    execl("/bin/echo", "echo", "from echo", (char*)0);
    _exit(127);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  inv_post(1);
  pthread_join(t, 0);
  return 0;
}
