// Two threads count in a variable of a loaded library.
// EXPECT: race
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int (*count)(void);

static void use(void) {
  keep(count());  // RACE A|B
}

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&count = dlsym(library, "count");
  in_order(use, use);
  return 0;
}
