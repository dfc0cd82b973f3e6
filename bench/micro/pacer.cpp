// PACER outside a sampling period, where it should cost next to nothing whatever the number of
// threads.
#include "core/pacer/pacer.h"

#include <benchmark/benchmark.h>

#include "analyze/heap_pages.h"

namespace steward::bench {
namespace {

constexpr auto kIgnore = [](const auto&...) {};

// n threads that have seen each other, a lock, and `tracked` variables sampled before.
struct World {
  World(std::int64_t threads, std::int64_t tracked) {
    pacer.sample_all(true);
    for (unsigned t = 0; t < threads; ++t) lock_unlock(t);
    for (std::int64_t v = 0; v < tracked; ++v) {
      pacer.access(AccessKind::Write, ThreadId{0}, 0x10'0000 + 8 * static_cast<Address>(v), 8,
                   SiteId{1}, kIgnore);
    }
    pacer.sample_all(false);
    // Until all clocks are the same and stand still.
    for (unsigned round = 0; round < 2; ++round) {
      for (unsigned t = 0; t < threads; ++t) lock_unlock(t);
    }
  }
  void lock_unlock(unsigned t) {
    const SyncKey m = SyncKey::of(SyncId{1}, SyncMode::Exclusive);
    pacer.order().acquire(ThreadId{t}, m);
    pacer.order().release(ThreadId{t}, m);
  }

  analyze::HeapPages pages;
  Pool pool{pages};
  Pacer pacer{pool};
};

void access_not_sampled(benchmark::State& state) {
  World w(8, state.range(0));
  for (auto _ : state) {
    w.pacer.access(AccessKind::Read, ThreadId{0}, 0x20'0000, 8, SiteId{1}, kIgnore);
  }
  state.SetLabel("variables tracked");
}
BENCHMARK(access_not_sampled)->Arg(0)->Arg(1 << 6)->Arg(1 << 12)->Arg(1 << 18);

// A lock that passes from thread to thread.
void lock_unlock_not_sampled(benchmark::State& state) {
  World w(state.range(0), 0);
  unsigned t = 0;
  for (auto _ : state) {
    w.lock_unlock(t);
    t = t + 1 == state.range(0) ? 0 : t + 1;
  }
}
BENCHMARK(lock_unlock_not_sampled)->RangeMultiplier(2)->Range(8, 1024);

void lock_unlock_sampled(benchmark::State& state) {
  World w(state.range(0), 0);
  w.pacer.sample_all(true);
  unsigned t = 0;
  for (auto _ : state) {
    w.lock_unlock(t);
    t = t + 1 == state.range(0) ? 0 : t + 1;
  }
}
BENCHMARK(lock_unlock_sampled)->RangeMultiplier(2)->Range(8, 1024);

}  // namespace
}  // namespace steward::bench
