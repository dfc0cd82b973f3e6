// Where state is kept: the hash table and the map from bytes to states.
#include <benchmark/benchmark.h>

#include "core/fasttrack/cell.h"
#include "core/memory/byte_map.h"

#include "analyze/heap_pages.h"
#include "analyze/random.h"

namespace steward::bench {
namespace {

std::vector<std::uint64_t> keys(std::int64_t n, std::uint64_t seed) {
  analyze::Random random(seed);
  std::vector<std::uint64_t> k(static_cast<std::size_t>(n));
  for (auto& key : k) key = random.draw() >> 16;
  return k;
}

// n keys, found or missed in random order.
void flat_map_find(benchmark::State& state) {
  analyze::HeapPages pages;
  Pool pool(pages);
  FlatMap<std::uint64_t, std::uint64_t> map(pool);
  const auto inside = keys(state.range(0), 1);
  for (const std::uint64_t k : inside) map.get(k) = k;
  const bool hit = state.range(1) != 0;
  const auto asked = hit ? inside : keys(state.range(0), 2);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(asked[i]));
    i = i + 1 == asked.size() ? 0 : i + 1;
  }
  state.SetLabel(hit ? "found" : "missed");
}
BENCHMARK(flat_map_find)->ArgsProduct({{1 << 6, 1 << 12, 1 << 18}, {0, 1}});

void flat_map_insert_erase(benchmark::State& state) {
  analyze::HeapPages pages;
  Pool pool(pages);
  FlatMap<std::uint64_t, std::uint64_t> map(pool);
  const auto inside = keys(state.range(0), 1);
  for (const std::uint64_t k : inside) map.get(k) = k;
  std::size_t i = 0;
  for (auto _ : state) {
    map.erase(inside[i]);
    map.get(inside[i]) = 1;
    i = i + 1 == inside.size() ? 0 : i + 1;
  }
}
BENCHMARK(flat_map_insert_erase)->Arg(1 << 12);

// Accesses of some size along 64 KB, again and again.
template <template <class> class Directory>
void byte_map_visit(benchmark::State& state) {
  analyze::HeapPages pages;
  Pool pool(pages);
  ByteMap<fasttrack::Cell, Directory> map(pool);
  const auto size = static_cast<std::uint64_t>(state.range(0));
  Address a = 0;
  for (auto _ : state) {
    map.visit(a, size, [](fasttrack::Cell& cell, Address, unsigned bytes) {
      benchmark::DoNotOptimize(&cell);
      benchmark::DoNotOptimize(bytes);
    });
    a = (a + size) % (1 << 16);
  }
}
BENCHMARK(byte_map_visit<PagedDirectory>)->RangeMultiplier(2)->Range(1, 64);
BENCHMARK(byte_map_visit<HashDirectory>)->RangeMultiplier(2)->Range(1, 64);

}  // namespace
}  // namespace steward::bench
