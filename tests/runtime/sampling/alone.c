// Prints the numbers of its two threads, waits for a line, and then goes through periods for as
// long as it takes to see some begin and end: with the sampler's own thread stopped (hold.c), the
// program's threads must end them.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "invisible.h"

extern __thread unsigned long __steward_word __attribute__((tls_model("initial-exec")));
INV_HIDDEN static int samples_here(void) {
  return __steward_word + 1 > 1;
}

// Not seen: nothing orders them but the stage.
static int thread_id;
INV_HIDDEN static void note_thread(void) {
  thread_id = inv_tid();
}
INV_HIDDEN static int noted_thread(void) {
  return thread_id;
}

static void* wait_for_end(void* none) {
  note_thread();
  inv_arrive();
  inv_wait(2);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_end, 0);
  inv_wait(1);
  printf("%d %d\n", inv_tid(), noted_thread());
  fflush(stdout);
  char line[8];
  if (fgets(line, sizeof line, stdin) == 0) return 2;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int changes = 0;
  for (int last = samples_here(); changes < 6;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    const int now = samples_here();
    changes += now != last;
    last = now;
  }
  inv_post(2);
  return 0;
}
