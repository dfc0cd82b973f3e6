// An access to a forbidden page faults; the handler jumps out of it.
// EXPECT: none
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "../support/check.h"
#include "../support/in_order.h"

static sigjmp_buf back;

static void handle(int signal_number) { siglongjmp(back, signal_number); }

int main(void) {
  volatile char* page =
      (volatile char*)mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal(SIGSEGV, handle);
  for (int i = 0; i < 10; ++i) {
    int signal_number = sigsetjmp(back, 1);
    if (signal_number == 0) {
      page[0] = 1;
      return 1;
    }
    CHECK(signal_number == SIGSEGV);
  }
  return 0;
}
