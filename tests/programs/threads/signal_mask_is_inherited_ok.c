// A thread begins with the signal mask of the one that made it, or with that of its attributes.
// EXPECT: none
// STDOUT: 0 1 0, 0 0 1, 0 1 0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static const int signals[3] = {SIGUSR1, SIGUSR2, SIGTERM};

static void* look(void* result) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  for (int i = 0; i < 3; ++i) ((int*)result)[i] = sigismember(&mask, signals[i]);
  return NULL;
}

int main(void) {
  int seen[3][3];
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, look, seen[0]);
  pthread_join(thread, NULL);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  sigset_t other;
  sigemptyset(&other);
  sigaddset(&other, SIGTERM);
  pthread_attr_setsigmask_np(&attributes, &other);
  pthread_create(&thread, &attributes, look, seen[1]);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);

  look(seen[2]);  // the maker's own is as it was
  for (int i = 0; i < 3; ++i)
    printf("%d %d %d%s", seen[i][0], seen[i][1], seen[i][2], i < 2 ? ", " : "\n");
  return 0;
}
