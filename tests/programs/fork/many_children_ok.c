// Twenty children one after the other, each with a thread of its own.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* update(void* unused) {
  ++x;
  return unused;
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    pthread_t t;
    int status = 0;
    pid_t child = fork();
    CHECK(child >= 0);
    CHECK(pthread_create(&t, 0, update, 0) == 0);
    pthread_join(t, 0);
    if (child == 0) _exit(x == i + 1 ? 0 : 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  return x == 20 ? 0 : 1;
}
