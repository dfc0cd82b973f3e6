// An array that each thread fills its own 64 bytes of; their parent sums it up after the join.
#include <cstdlib>

#include "turns.h"

int main() {
  constexpr int kThreads = 4, kLongs = 8;
  auto* data = static_cast<long*>(aligned_alloc(64, kThreads * kLongs * sizeof(long)));
  std::thread threads[kThreads];
  for (int t = 0; t < kThreads; ++t) {
    threads[t] = std::thread([=] {
      for (int i = 0; i < kLongs; ++i) data[t * kLongs + i] = i;
    });
  }
  for (std::thread& t : threads) t.join();
  long sum = 0;
  for (int i = 0; i < kThreads * kLongs; ++i) sum += data[i];
  free(data);
  return sum == kThreads * 28 ? 0 : 1;
}
