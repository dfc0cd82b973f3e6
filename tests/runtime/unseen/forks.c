// forks LIBRARY...: forks while other threads make threads. In each child a thread can be made. The more
// libraries there are, the longer the runtime looks for those that count for nothing.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ends;

static void* nothing(void* none) {
  return none;
}
static void make_one(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
}
static void* makes(void* none) {
  while (!ends) make_one();
  return none;
}

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) dlopen(words[i], RTLD_NOW);
  enum { kMakers = 3 };
  pthread_t makers[kMakers];
  int status = 0;
  for (int i = 0; i < kMakers; ++i) pthread_create(&makers[i], NULL, makes, NULL);
  for (int i = 0; i < 500 && status == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      make_one();
      _exit(0);
    }
    waitpid(child, &status, 0);
    if (status != 0) printf("child %d: status %x\n", i, status);
  }
  ends = 1;
  for (int i = 0; i < kMakers; ++i) pthread_join(makers[i], NULL);
  return status == 0 ? 0 : 1;
}
