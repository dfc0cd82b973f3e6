// The same under a mutex.
// EXPECT: none
// LIB: poke_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int (*count)(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
  pthread_mutex_lock(&mutex);
  keep(count());
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&count = dlsym(library, "count");
  in_order(use, use);
  dlclose(library);
  return 0;
}
