// main ends by pthread_exit, the process goes on until its last thread ends.
// EXPECT: none
// STDOUT: last
#include <stdio.h>

#include "../support/in_order.h"

int x;
pthread_t main_thread;

static void* thread(void* unused) {
  pthread_join(main_thread, 0);
  ++x;
  puts("last");
  return unused;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, thread, 0);
  ++x;
  pthread_exit(0);
}
