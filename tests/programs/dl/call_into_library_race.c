// Two threads store to one variable by way of a loaded library.
// EXPECT: race
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
void (*poke)(int*, int);

static void first(void) {
  poke(&x, 1);  // RACE A
  keep(1);
}
static void second(void) {
  poke(&x, 2);  // RACE B
  keep(2);
}

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&poke = dlsym(library, "poke");
  in_order(first, second);
  dlclose(library);
  return 0;
}
