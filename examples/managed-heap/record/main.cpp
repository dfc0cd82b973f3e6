// managed-heap-record WORKLOAD mark-sweep|semispace TRACE [ROUNDS [SEED [CARRIERS]]]: writes an
// execution down, for `steward audit` and `steward analyze`.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "trace/writer.h"

#include "workloads.h"

int main(int argc, char** argv) {
  using namespace managed;
  const Workload* chosen = nullptr;
  for (const Workload& w : workloads()) {
    if (argc > 3 && std::strcmp(argv[1], w.name) == 0) chosen = &w;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr,
                 "usage: managed-heap-record WORKLOAD mark-sweep|semispace TRACE [ROUNDS [SEED "
                 "[CARRIERS]]]\n");
    return 2;
  }
  const auto number = [&](int i, unsigned fallback) {
    return argc > i ? static_cast<unsigned>(std::atoi(argv[i])) : fallback;
  };
  const bool moving = std::strcmp(argv[2], "semispace") == 0;
  HeapStatistics s;
  const world::Recording r = world::record(number(5, 1), number(6, 0), [&] {
    Heap heap(moving ? CollectorKind::Semispace : CollectorKind::MarkSweep,
              moving ? 20 * 1024 : 12 * 1024);
    {
      Mutator main(heap);
      chosen->run(main, number(4, 500));
    }
    s = heap.statistics();
  });
  steward::trace::OpenedSink sink = steward::trace::open_sink(argv[3]);
  if (!sink.sink) {
    std::fprintf(stderr, "%s\n", sink.error->message.c_str());
    return 1;
  }
  const auto writer = steward::trace::make_binary_writer(std::move(sink.sink), r.names);
  writer->write(r.machine);
  writer->finish();
  if (!writer->ok()) {
    std::fprintf(stderr, "%s\n", writer->error()->message.c_str());
    return 1;
  }
  std::printf("%s: %s, %s: %zu events, %lu collections, %lu moves\n", argv[3], chosen->name,
              argv[2], r.machine.size(), s.collections, s.moved);
  return 0;
}
