// What a call of lard.h costs where no tool is loaded, beside the same loop without it.
#include <benchmark/benchmark.h>
#include <steward/lard.h>

namespace steward::bench {
namespace {

void nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(nothing)->Name("lard/no_call");

void region(benchmark::State& state) {
  for (auto _ : state) {
    steward_lard_system_begin();
    benchmark::ClobberMemory();
    steward_lard_system_end();
  }
}
BENCHMARK(region)->Name("lard/system_begin_and_end");

void history(benchmark::State& state) {
  char memory[64];
  for (auto _ : state) {
    steward_lard_clear_history(memory, sizeof memory);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(history)->Name("lard/clear_history");

void identity(benchmark::State& state) {
  for (auto _ : state) {
    steward_lard_thread_switch(1);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(identity)->Name("lard/thread_switch");

}  // namespace
}  // namespace steward::bench
