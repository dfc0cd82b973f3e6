// A ticket lock: the ticket is drawn relaxed, the turn is taken with acquire and release.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<unsigned> next_ticket{0}, now_serving{0};
ALONE int data;

static void count() {
  for (int i = 0; i < 20; ++i) {
    unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (now_serving.load(std::memory_order_acquire) != mine) inv_yield();
    data += 1;
    now_serving.store(mine + 1, std::memory_order_release);
  }
}

int main() { in_order(count, count); }
