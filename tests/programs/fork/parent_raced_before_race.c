// The race lies before the fork; the child inherits nothing that it would report again.
// EXPECT: race
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void first(void) { x = 1; }   // RACE A
static void second(void) { x = 2; }  // RACE B

int main(void) {
  int status = 0;
  in_order(first, second);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) _exit(x == 2 ? 0 : 1);
  CHECK(waitpid(child, &status, 0) == child);
  return 0;
}
