// pthread_atfork handlers hold a lock over the fork, in parent and child.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
static void* update(void* unused) {
  lock();
  ++x;
  unlock();
  return unused;
}

int main(void) {
  pthread_t t;
  int status = 0;
  pthread_atfork(lock, unlock, unlock);
  pthread_create(&t, 0, update, 0);
  pid_t child = fork();
  CHECK(child >= 0);
  update(0);
  if (child == 0) _exit(x >= 1 ? 0 : 1);
  pthread_join(t, 0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  return x == 2 ? 0 : 1;
}
