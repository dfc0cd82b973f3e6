// An object as old as the program, incremented by all threads without a lock, between allocations
// that make collectors run and the object move.
#include "workloads.h"

namespace managed {
namespace {

constexpr std::size_t kCounter = 0;
const Type kCounterType{"Counter", 0};
const Type kScratch{"Scratch", 0};

}  // namespace

void counter_racy(Mutator& m, unsigned rounds) {
  Handle counter(m);
  make(m, counter, kCounterType, 4);
  put_static(m, kCounter, counter);
  in_threads(m, 3, [rounds](Mutator& mine, unsigned t) {
    Handle here(mine), scratch(mine);
    for (unsigned i = 0; i < rounds; ++i) {
      for (unsigned k = 0; k < 6; ++k) {
        make(mine, scratch, kScratch, 16);
        for (unsigned x = 0; x < 4; ++x) put(scratch, x, i);
      }
      if (i % 16 == 0) {
        get_static(mine, here, kCounter);
        put(here, t % 2, get(here, t % 2) + 1);  // RACE
      }
      mine.poll();
    }
  });
}

}  // namespace managed
