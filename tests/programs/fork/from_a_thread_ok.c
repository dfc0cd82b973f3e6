// Another thread than the main one forks; the child exits by exit and runs its handlers.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void at_exit(void) { ++x; }
static void* forker(void* unused) {
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) exit(4);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4);
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(at_exit);
  pthread_create(&t, 0, forker, 0);
  pthread_join(t, 0);
  return 0;
}
