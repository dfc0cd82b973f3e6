// mtrt's threadCount: counted down by every worker without a lock, and used by nobody. Benign.
#include <cstdio>
#include <thread>
#include <vector>

struct RayTracer {
  int thread_count = 0;
};
RayTracer tracer;

[[gnu::noinline]] void started() {
  ++tracer.thread_count;
}
[[gnu::noinline]] void finished() {
  --tracer.thread_count;
}

int main() {
  int pixels[4] = {};
  std::vector<std::thread> runners;
  for (int r = 0; r < 4; ++r) {
    started();
    runners.emplace_back([&, r] {
      for (int i = 0; i < 100; ++i) pixels[r] += i ^ r;
      finished();
    });
  }
  for (auto& r : runners) r.join();
  std::printf("%d\n", pixels[0] + pixels[1] + pixels[2] + pixels[3]);
}
