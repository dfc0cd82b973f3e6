// A timer's signals meet threads that are only just beginning, as a profiler's do.
// EXPECT: none
// STDOUT: done
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static int nowhere;

static void tick(int signal) {
  const char byte = (char)signal;
  if (write(nowhere, &byte, 1) < 0) abort();
}

static void* work(void* argument) {
  for (int i = 0; i < 200; ++i) free(malloc(100));
  return argument;
}

int main(void) {
  nowhere = open("/dev/null", O_WRONLY);
  signal(SIGPROF, tick);
  const struct itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_PROF, &often, NULL);
  for (int round = 0; round < 400; ++round) {
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  }
  signal(SIGPROF, SIG_IGN);
  puts("done");
  return 0;
}
