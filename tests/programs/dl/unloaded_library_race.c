// The first access was made in a library that is gone when the second is made.
// EXPECT: race
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
void* library;

static void first(void) {
  void (*poke)(int*, int);
  library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&poke = dlsym(library, "poke");
  poke(&x, 1);  // RACE A
  dlclose(library);
}
static void second(void) { x = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
