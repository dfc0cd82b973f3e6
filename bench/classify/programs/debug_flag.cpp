// montecarlo's UNIVERSAL_DEBUG: every worker sets the flag to what it is already. Benign.
#include <cstdio>
#include <thread>
#include <vector>

bool universal_debug = false;

[[gnu::noinline]] void set_debug(bool on) {
  universal_debug = on;
}
[[gnu::noinline]] int price(int i) {
  if (universal_debug) std::puts("pricing");
  return i * i % 7;
}

int main() {
  int sums[4] = {};
  std::vector<std::thread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      set_debug(false);
      for (int i = 0; i < 50; ++i) sums[w] += price(i + w);
    });
  }
  for (auto& w : workers) w.join();
  std::printf("%d\n", sums[0] + sums[1] + sums[2] + sums[3]);
}
