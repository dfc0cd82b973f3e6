// Two threads, one counter, no lock: the stand-in for the runtime takes it for a race. (The threads
// run one after the other, so that it is always the same one.) Arguments: what to do at the end.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int counter;

static inline __attribute__((always_inline)) void bump(int by) {
  counter += by;
}

static void* work(void* unused) {
  (void)unused;
  bump(2);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(b, NULL);
  const char* end = argc > 1 ? argv[1] : "";
  if (strcmp(end, "--exit") == 0) return atoi(argv[2]);
  if (strcmp(end, "--segv") == 0) raise(SIGSEGV);
  if (strcmp(end, "--wait") == 0) sleep(60);
  if (strcmp(end, "--arguments") == 0) {
    for (int i = 2; i < argc; ++i) printf("[%s]", argv[i]);
  }
  return 0;
}
