// Thread-local memory of a loaded library goes from ended threads to new ones, unordered.
// EXPECT: none
// LIB: thread_local_lib.c
#include <dlfcn.h>

#include "../support/check.h"
#include "../support/in_order.h"

int (*touch)(int);
int tid;

static void* use(void* unused) {
  CHECK(touch(3) == 3);
  __atomic_store_n(&tid, inv_tid(), __ATOMIC_RELAXED);
  inv_arrive();
  return unused;
}

int main(void) {
  void* library = dlopen(LIB_PATH, RTLD_NOW);
  CHECK(library != 0);
  *(void**)&touch = dlsym(library, "touch");
  for (int i = 0; i < 30; ++i) {
    pthread_t t;
    pthread_create(&t, 0, use, 0);
    pthread_detach(t);
    inv_wait(i + 1);
    inv_wait_gone(__atomic_load_n(&tid, __ATOMIC_RELAXED));
  }
  return 0;
}
