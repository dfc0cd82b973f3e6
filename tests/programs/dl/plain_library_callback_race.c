// An uninstrumented library stands between the threads and the accesses that race.
// EXPECT: race
// PLAIN-LIB: plain_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
void (*call)(void (*)(void));

static void store(void) { x = 1; }   // RACE A
static void load(void) { keep(x); }  // RACE B
static void first(void) { call(store); }
static void second(void) { call(load); }

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&call = dlsym(library, "call");
  in_order(first, second);
  return 0;
}
