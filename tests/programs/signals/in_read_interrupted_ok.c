// Without SA_RESTART the blocked read returns EINTR after the handler has run.
// EXPECT: none
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int ends[2], handled, reader_tid;

static void handle(int signal_number) { handled = signal_number; }
static void* reader(void* unused) {
  char byte = 0;
  __atomic_store_n(&reader_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(1);
  CHECK(read(ends[0], &byte, 1) == -1 && errno == EINTR);
  CHECK(handled == SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handle};
  CHECK(pipe(ends) == 0);
  sigaction(SIGUSR1, &action, 0);
  pthread_create(&t, 0, reader, 0);
  inv_wait(1);
  inv_wait_blocked(__atomic_load_n(&reader_tid, __ATOMIC_RELAXED));
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
