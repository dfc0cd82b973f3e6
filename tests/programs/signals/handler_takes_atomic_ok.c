// A handler publishes by a release store what another thread takes by an acquire load.
// EXPECT: none
#include <signal.h>
#include <stdatomic.h>

#include "../support/in_order.h"

ALONE int data;
ALONE atomic_int ready;

static void handle(int signal_number) {
  data = signal_number;
  atomic_store_explicit(&ready, 1, memory_order_release);
}
static void first(void) { raise(SIGUSR1); }
static void second(void) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) keep(data);
}

int main(void) {
  signal(SIGUSR1, handle);
  in_order(first, second);
  return 0;
}
