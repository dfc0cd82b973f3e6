// Events out of a block's bytes, in memory and without decompression.
#include <benchmark/benchmark.h>

#include "trace/event_decoder.h"
#include "trace/event_encoder.h"

#include "../trace/workload.h"

namespace steward::bench {
namespace {

void decode(benchmark::State& state) {
  Workload workload({.events = 65536, .threads = static_cast<std::uint32_t>(state.range(0))});
  std::vector<Event> events;
  while (events.size() < 65536 && workload.next(events)) {
  }
  trace::EventEncoder encoder;
  for (const Event& e : events) encoder.add(e);
  std::string bytes(encoder.bytes());
  const std::size_t size = bytes.size();
  bytes.resize(size + trace::kDecoderSlack);

  trace::EventDecoder decoder;
  std::vector<Event> out(2048);
  for (auto _ : state) {
    decoder.start(bytes.data(), size, encoder.count());
    while (decoder.left() > 0 && decoder.decode(out) > 0) benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(events.size()));
}
BENCHMARK(decode)->Arg(1)->Arg(8)->Arg(256);

}  // namespace
}  // namespace steward::bench
