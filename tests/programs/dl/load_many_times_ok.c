// A library is loaded, used and unloaded thirty times.
// EXPECT: none
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void use(void) {
  for (int i = 0; i < 15; ++i) {
    void (*poke)(int*, int);
    void* library = dlopen(LIB_PATH, RTLD_NOW);
    CHECK(library != 0);
    *(void**)&poke = dlsym(library, "poke");
    int local = 0;
    poke(&local, i);
    CHECK(local == i);
    dlclose(library);
  }
}

int main(void) {
  in_order(use, use);
  return x;
}
