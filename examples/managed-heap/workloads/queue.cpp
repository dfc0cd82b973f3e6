// A list under one lock: producers append nodes that they have filled, consumers take them and read
// them without it. A node's memory then serves another thread's node.
#include "workloads.h"

namespace managed {
namespace {

constexpr std::size_t kQueue = 0;
constexpr long kMost = 32;  // further nodes are dropped
const Type kQueueType{"Queue", 2};
const Type kNode{"Node", 1};
enum QueueField { kHead, kTail, kLength, kTaken };
enum NodeField { kNext, kPayload };

void append(Mutator& m, world::Lock& lock, long payload) {
  Handle queue(m), node(m), tail(m);
  make(m, node, kNode, 6);
  for (std::uint32_t i = 0; i < 5; ++i) put(node, kPayload + i, payload + i);
  get_static(m, queue, kQueue);
  const Locked locked(m, lock);
  if (get(queue, kLength) >= kMost) return;
  get_reference(tail, queue, kTail);
  if (tail) {
    put_reference(tail, kNext, node);
  } else {
    put_reference(queue, kHead, node);
  }
  put_reference(queue, kTail, node);
  put(queue, kLength, get(queue, kLength) + 1);  // RACE, with the look below
}

// False: there was none.
bool take(Mutator& m, world::Lock& lock, long& sum) {
  Handle queue(m), node(m), next(m);
  get_static(m, queue, kQueue);
  {
    const Locked locked(m, lock);
    get_reference(node, queue, kHead);
    if (!node) return false;
    get_reference(next, node, kNext);
    put_reference(queue, kHead, next);
    if (!next) put_reference(queue, kTail, next);
    put(queue, kLength, get(queue, kLength) - 1);  // RACE, with the look below
  }
  for (std::uint32_t i = 0; i < 5; ++i) {
    sum += get(node, kPayload + i);
    put(node, kPayload + i, 0);
  }
  return true;
}

void run(Mutator& m, unsigned rounds, bool racy) {
  Handle queue(m);
  make(m, queue, kQueueType, 4);
  put_static(m, kQueue, queue);
  world::Lock lock("queue");
  in_threads(m, 4, [&lock, rounds, racy](Mutator& mine, unsigned t) {
    long sum = 0;
    for (unsigned i = 0; i < rounds; ++i) {
      if (t % 2 == 0) {
        append(mine, lock, i);
      } else {
        take(mine, lock, sum);
      }
      if (racy) {
        Handle mine_too(mine);
        get_static(mine, mine_too, kQueue);
        if (get(mine_too, kLength) > 100) mine.poll();  // RACE: without the lock
      }
      mine.poll();
    }
  });
  long sum = 0;
  while (take(m, lock, sum)) {
  }
}

}  // namespace

void queue(Mutator& m, unsigned rounds) {
  run(m, rounds, false);
}
void queue_racy(Mutator& m, unsigned rounds) {
  run(m, rounds, true);
}

}  // namespace managed
