// A library is unloaded and loaded again where it was: its variables are new memory.
// EXPECT: none
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

typedef int (*Count)(void);
Count current;

static void* use(void* stage) {
  inv_wait((int)(long)stage);
  CHECK(__atomic_load_n(&current, __ATOMIC_RELAXED)() == 1);
  return 0;
}
static void* load(void) {
  Count count;
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&count = dlsym(library, "count");
  __atomic_store_n(&current, count, __ATOMIC_RELAXED);
  return library;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, (void*)1L);
  pthread_create(&b, 0, use, (void*)2L);
  void* library = load();
  inv_post(1);
  pthread_join(a, 0);
  CHECK(dlclose(library) == 0);
  library = load();
  inv_post(2);
  pthread_join(b, 0);
  return 0;
}
