// A list walked by two threads, each node's lock taken before the last one's is given up.
// EXPECT: none
#include "../support/in_order.h"

struct Node {
  pthread_mutex_t mutex;
  int value;
} nodes[5];

static void walk(void) {
  pthread_mutex_lock(&nodes[0].mutex);
  for (int i = 0; i < 5; ++i) {
    ++nodes[i].value;
    if (i + 1 < 5) pthread_mutex_lock(&nodes[i + 1].mutex);
    pthread_mutex_unlock(&nodes[i].mutex);
  }
}

int main(void) {
  for (int i = 0; i < 5; ++i) pthread_mutex_init(&nodes[i].mutex, 0);
  in_order(walk, walk);
  return 0;
}
