// A program forks while another thread is alive; parent and child both go on, with new threads.
// EXPECT: none
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* idle(void* unused) {
  inv_wait(1);
  return unused;
}
static void* update(void* unused) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void two_updates(void) {
  pthread_t a, b;
  CHECK(pthread_create(&a, 0, update, 0) == 0);
  CHECK(pthread_create(&b, 0, update, 0) == 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

int main(void) {
  pthread_t t;
  int status = 0;
  pthread_create(&t, 0, idle, 0);
  pid_t child = fork();
  CHECK(child >= 0);
  two_updates();
  if (child == 0) _exit(x == 2 ? 0 : 1);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  inv_post(1);
  pthread_join(t, 0);
  return x == 2 ? 0 : 1;
}
