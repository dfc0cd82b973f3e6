// Fibers that a work-stealing scheduler moves between kernel threads do not race with themselves.
// EXPECT: none
// STDOUT: moved
// FLAGS: -lboost_fiber -lboost_context
#include "boost_fibers.h"

#include <cstdio>
#include <memory>
#include <vector>

#include <unistd.h>

constexpr int kFibers = 8;
ALONE long sums[kFibers];
static std::atomic<int> moved{0};

NOINLINE static void work(int i) {
  const pid_t first = gettid();
  for (int round = 0; round < 200; ++round) {
    sums[i] += round;
    boost::this_fiber::yield();
  }
  // Until somebody has been stolen; time, not order, depends on it.
  for (long n = 0; n < 1000000 && moved.load(std::memory_order_relaxed) == 0; ++n) {
    sums[i] += 1;
    boost::this_fiber::yield();
    if (gettid() != first) moved.store(1, std::memory_order_relaxed);
  }
  sums[i] += 1;
}

int main() {
  on_two_threads([] {
    std::vector<std::unique_ptr<Fiber>> fibers;
    for (int i = 0; i < kFibers; ++i) {
      fibers.push_back(std::make_unique<Fiber>([i] { work(i); }));
    }
    long sum = 0;
    for (int i = 0; i < kFibers; ++i) {
      fibers[i]->join();
      sum += sums[i];
    }
    std::puts(sum > 0 && moved != 0 ? "moved" : "never moved");
  });
  return 0;
}
