// A thread blocked in read gets its signal at once; the handler writes the byte it waits for.
// EXPECT: none
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int ends[2], handled, reader_tid;

static void handle(int signal_number) {
  handled = signal_number;
  CHECK(write(ends[1], "x", 1) == 1);
}
static void* reader(void* unused) {
  char byte = 0;
  __atomic_store_n(&reader_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(1);
  while (read(ends[0], &byte, 1) == -1) CHECK(errno == EINTR);
  CHECK(handled == SIGUSR1 && byte == 'x');
  return unused;
}

int main(void) {
  pthread_t t;
  CHECK(pipe(ends) == 0);
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, reader, 0);
  inv_wait(1);
  inv_wait_blocked(__atomic_load_n(&reader_tid, __ATOMIC_RELAXED));
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
