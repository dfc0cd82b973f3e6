// The parent's threads race after a fork; the child, which does not race, ends well.
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
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) _exit(x);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  in_order(first, second);
  return 0;
}
