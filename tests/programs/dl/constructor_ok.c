// A library's constructor is ordered before the threads created after it was loaded.
// EXPECT: none
// LIB: constructor_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int (*value)(void);

static void use(void) { CHECK(value() == 42); }

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&value = dlsym(library, "value");
  in_order(use, use);
  dlclose(library);
  return 0;
}
