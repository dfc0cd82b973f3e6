// Vector clocks of n slots.
#include <benchmark/benchmark.h>

#include "core/clock/vector_clock.h"

#include "analyze/heap_pages.h"

namespace steward::bench {
namespace {

struct Clocks {
  explicit Clocks(benchmark::State& state) {
    const auto n = static_cast<std::uint32_t>(state.range(0));
    for (std::uint32_t s = 0; s < n; ++s) {
      a.set(Slot{s}, s + 1);
      b.set(Slot{s}, s + 1);
    }
  }
  analyze::HeapPages pages;
  Pool pool{pages};
  VectorClock a{pool};
  VectorClock b{pool};
};

void join(benchmark::State& state) {
  Clocks c(state);
  for (auto _ : state) {
    c.a.join(c.b);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(join)->RangeMultiplier(2)->Range(8, 1024);

void covers(benchmark::State& state) {
  Clocks c(state);
  for (auto _ : state) benchmark::DoNotOptimize(c.a.covers(c.b));
}
BENCHMARK(covers)->RangeMultiplier(2)->Range(8, 1024);

void copy(benchmark::State& state) {
  Clocks c(state);
  for (auto _ : state) {
    c.a.copy(c.b);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(copy)->RangeMultiplier(2)->Range(8, 1024);

}  // namespace
}  // namespace steward::bench
