// managed-heap WORKLOAD mark-sweep|semispace [ROUNDS]: runs one, and says what its collector did.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workloads.h"

int main(int argc, char** argv) {
  using namespace managed;
  const Workload* chosen = nullptr;
  for (const Workload& w : workloads()) {
    if (argc > 2 && std::strcmp(argv[1], w.name) == 0) chosen = &w;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "usage: managed-heap WORKLOAD mark-sweep|semispace [ROUNDS]\n");
    for (const Workload& w : workloads()) std::fprintf(stderr, "  %-14s %s\n", w.name, w.about);
    return 2;
  }
  const bool moving = std::strcmp(argv[2], "semispace") == 0;
  Heap heap(moving ? CollectorKind::Semispace : CollectorKind::MarkSweep,
            moving ? 64 * 1024 : 32 * 1024);
  {
    Mutator main(heap);
    chosen->run(main, argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 4000);
  }
  const HeapStatistics& s = heap.statistics();
  std::printf("%s, %s: %lu collections, %lu objects, %lu bytes reclaimed, %lu moves\n",
              chosen->name, argv[2], s.collections, s.objects, s.reclaimed, s.moved);
  return 0;
}
