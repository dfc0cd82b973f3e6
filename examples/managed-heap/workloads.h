// Programs on the managed heap.
#pragma once

#include <span>

#include "program.h"

namespace managed {

struct Workload {
  const char* name;
  bool racy;  // has planted races
  const char* about;
  void (*run)(Mutator& main, unsigned rounds);
};
std::span<const Workload> workloads();

void bank(Mutator& m, unsigned rounds);
void bank_racy(Mutator& m, unsigned rounds);
void queue(Mutator& m, unsigned rounds);
void queue_racy(Mutator& m, unsigned rounds);
void trees(Mutator& m, unsigned rounds);
void rows(Mutator& m, unsigned rounds);
void sessions(Mutator& m, unsigned rounds);
void cache_racy(Mutator& m, unsigned rounds);
void counter_racy(Mutator& m, unsigned rounds);

}  // namespace managed
