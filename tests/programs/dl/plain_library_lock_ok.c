// An uninstrumented library's mutex orders the callbacks it makes under it.
// EXPECT: none
// PLAIN-LIB: plain_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
void (*call_locked)(void (*)(void));

static void update(void) { ++x; }
static void use(void) { call_locked(update); }

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&call_locked = dlsym(library, "call_locked");
  in_order(use, use);
  return 0;
}
