// A thread that no detector saw begin, made by the C library's own function. The first it does is
// to read what others have read before it.
// EXPECT: race
// FLAGS: -ldl
#include <dlfcn.h>

#include "../support/in_order.h"

static union {
  int half;
  long all;
} x ALONE;

static void* look(void* argument) {
  keep(x.half);  // RACE B
  inv_arrive();
  return argument;
}

typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int main(void) {
  void* library = dlopen("libc.so.6", RTLD_NOW);
  Create create = library == 0 ? 0 : (Create)dlsym(library, "pthread_create");
  if (create == 0) abort();
  x.all = 1;  // RACE A
  pthread_t threads[3];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], 0, look, 0) != 0) abort();
    inv_wait(i + 1);
  }
  if (create(&threads[2], 0, look, 0) != 0) abort();
  inv_wait(3);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
