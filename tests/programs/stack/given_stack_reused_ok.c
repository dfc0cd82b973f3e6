// A stack given by the program serves one joined thread after the other.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

static char stack[1 << 20] __attribute__((aligned(4096)));

static NOINLINE void touch(volatile char* bytes) {
  for (int i = 0; i < 1024; ++i) bytes[i] = (char)i;
}
static void* thread(void* unused) {
  volatile char local[1024];
  touch(local);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
  for (int i = 0; i < 10; ++i) {
    pthread_t t;
    CHECK(pthread_create(&t, &attributes, thread, 0) == 0);
    pthread_join(t, 0);
  }
  return 0;
}
