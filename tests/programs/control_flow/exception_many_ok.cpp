// Thirty thousand exceptions through nested frames leave nothing behind.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void throw_from(int depth) {
  if (opaque(depth) == 0) throw depth;
  throw_from(depth - 1);
  keep(depth);
}
static void use() {
  for (int i = 0; i < 15000; ++i) try {
      throw_from(4);
    } catch (int) {
      keep(i);
    }
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main() { in_order(use, use); }
