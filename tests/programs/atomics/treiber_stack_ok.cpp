// A lock-free stack: pushes release, the pop of everything acquires.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

struct Node {
  int value;
  Node* next;
};
std::atomic<Node*> top{nullptr};

static void push_some() {
  for (int i = 0; i < 10; ++i) {
    Node* node = new Node{i, top.load(std::memory_order_relaxed)};
    while (!top.compare_exchange_weak(node->next, node, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    }
  }
}
static void pop_all() {
  Node* node = top.exchange(nullptr, std::memory_order_acquire);
  while (node != nullptr) {
    Node* next = node->next;
    keep(node->value);
    delete node;
    node = next;
  }
}

int main() { in_order3(push_some, push_some, pop_all); }
