// Parent and child of a program with one thread go on.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"

int x;

int main(void) {
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  x += child == 0 ? 5 : 1;
  if (child == 0) _exit(x);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  return x == 1 ? 0 : 1;
}
