// FastTrack's rules, each alone on a variable whose state is in the cache.
#include <benchmark/benchmark.h>

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "core/generic/happens_before.h"

#include "analyze/heap_pages.h"

namespace steward::bench {
namespace {

struct World {
  analyze::HeapPages pages;
  Pool pool{pages};
  HappensBefore order{pool};
  fasttrack::Cell cell;

  ~World() { cell.destroy(pool); }
  const HappensBefore::Thread& thread(unsigned t) { return order.thread(ThreadId{t}); }
  Verdict access(AccessKind kind, unsigned t) {
    return fasttrack::access(pool, cell, thread(t), kind, SiteId{1}, true);
  }
  // All that u did happens before what t does next.
  void hand_over(unsigned u, unsigned t) {
    order.release(ThreadId{u}, SyncKey::of(SyncId{1}, SyncMode::Exclusive));
    order.acquire(ThreadId{t}, SyncKey::of(SyncId{1}, SyncMode::Exclusive));
  }
};

void same_epoch(benchmark::State& state) {
  const auto kind = static_cast<AccessKind>(state.range(0));
  World w;
  w.access(kind, 0);
  for (auto _ : state) benchmark::DoNotOptimize(w.access(kind, 0));
  state.SetLabel(name(w.access(kind, 0).rule));
}
BENCHMARK(same_epoch)
    ->Arg(static_cast<int>(AccessKind::Read))
    ->Arg(static_cast<int>(AccessKind::Write))
    ->Arg(static_cast<int>(AccessKind::AtomicRead))
    ->Arg(static_cast<int>(AccessKind::AtomicWrite));

// A variable that one thread has to itself, in a new epoch each time; the release is part of it.
void exclusive(benchmark::State& state) {
  const auto kind = static_cast<AccessKind>(state.range(0));
  World w;
  w.access(kind, 0);
  for (auto _ : state) {
    w.order.release(ThreadId{0}, SyncKey::of(SyncId{1}, SyncMode::Exclusive));
    benchmark::DoNotOptimize(w.access(kind, 0));
  }
  w.hand_over(0, 0);
  state.SetLabel(name(w.access(kind, 0).rule));
}
BENCHMARK(exclusive)
    ->Arg(static_cast<int>(AccessKind::Read))
    ->Arg(static_cast<int>(AccessKind::Write));

// A read of a variable that n threads read.
void read_shared(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  World w;
  for (unsigned t = 0; t < n; ++t) w.access(AccessKind::Read, t);
  unsigned t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(w.access(AccessKind::Read, t));
    t = t + 1 == n ? 0 : t + 1;
  }
  state.SetLabel(name(w.access(AccessKind::Read, 0).rule));
}
BENCHMARK(read_shared)->RangeMultiplier(8)->Range(8, 512);

}  // namespace
}  // namespace steward::bench
