// raytracer's checksum1: every worker adds its own at the end, without a lock.
#include <cstdio>
#include <thread>
#include <vector>

#include "meeting.h"

struct Bench {
  long checksum1 = 0;
};
Bench bench;
constexpr int kWorkers = 4;
Meeting turn[kWorkers] = {Meeting(2), Meeting(2), Meeting(2), Meeting(2)};

int main() {
  std::vector<std::thread> workers;
  for (int w = 0; w < kWorkers; ++w) {
    workers.emplace_back([w] {
      if (w > 0) turn[w].wait();
      bench.checksum1 += (w + 1) * 1000;
      if (w + 1 < kWorkers) turn[w + 1].wait();
    });
  }
  for (auto& w : workers) w.join();
  if (bench.checksum1 != 10000) {
    std::puts("validation failed");
    return 1;
  }
  std::puts("valid");
}
