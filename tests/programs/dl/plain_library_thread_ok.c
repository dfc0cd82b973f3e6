// An uninstrumented library creates and joins the thread that calls back.
// EXPECT: none
// PLAIN-LIB: plain_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
void (*call_in_thread)(void (*)(void));

static void update(void) { ++x; }

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&call_in_thread = dlsym(library, "call_in_thread");
  for (int i = 0; i < 5; ++i) {
    ++x;
    call_in_thread(update);
  }
  return x == 10 ? 0 : 1;
}
