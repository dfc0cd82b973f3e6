// What the barriers call escaped. `taken` is read by another thread and never used by it; `offered`
// is only stored where others could find it. After that their owner and a third thread write to
// each, the owner without a lock.
#include "turns.h"

struct Node {
  Node* next;
  long value;
};
static std::mutex lock, publishing;
Node* taken;  // not static: the optimiser would make it a flag
Node* offered;

int main() {
  std::thread owner([] {
    auto* const t = new Node{nullptr, 0};
    auto* const o = new Node{new Node{nullptr, 0}, 0};  // and what it leads to
    {
      std::lock_guard<std::mutex> guard(publishing);
      taken = t;
      offered = o;
    }
    next_turn();
    wait_for(2);
    t->value = 1;        // TAKEN
    o->value = 1;        // OFFERED
    o->next->value = 1;  // BEHIND
    next_turn();
  });
  std::thread reader([] {
    wait_for(1);
    std::lock_guard<std::mutex> guard(publishing);
    if (taken == nullptr) __builtin_trap();
    next_turn();
  });
  std::thread third([] {
    wait_for(3);
    std::lock_guard<std::mutex> guard(lock), other(publishing);
    taken->value = 2;
    offered->value = 2;
    offered->next->value = 2;
  });
  owner.join();
  reader.join();
  third.join();
}
