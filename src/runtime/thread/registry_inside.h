// The registry's insides, for those few files that are parts of it: thread/registry.cpp and what a
// tool asks of all threads at once (sample/census.cpp).
#pragma once

#include "core/clock/slots.h"
#include "core/memory/flat_map.h"
#include "runtime/mem/lock.h"
#include "runtime/mem/pages.h"
#include "runtime/thread/registry.h"
#include "runtime/tool.h"

namespace steward::rt {

// Dead threads' histories are kept up to so many, and so much; the oldest go first.
constexpr unsigned kKeptDead = 4096;
constexpr std::size_t kKeptBytes = 16 << 20;

struct Registry {
  // The last slot's number means something else (kNoWrite, crowds).
  explicit Registry(PageSource& pages)
      : pool(pages),
        slots(pool, kClockLimit, kMaxSlots - 1),
        handles(pool),
        states(pool) {}
  Pool pool;
  SlotTable slots;
  FlatMap<std::uint64_t, ThreadState*> handles;  // pthread_t -> state
  FlatMap<std::uint32_t, ThreadState*> states;   // by id, of those that are not buried
  ThreadInfo* infos = nullptr;                   // by id
  struct Name {
    char text[16];
  };
  Name* names = nullptr;  // mapped, as infos are; 0 is nobody's
  std::uint32_t name_count = 1;
  std::uint32_t count = 0;
  std::uint32_t starting = 0;  // made, but not entered yet
  ThreadState* state_of(std::uint32_t id) {
    ThreadState** found = states.find(id);
    return found == nullptr ? nullptr : *found;
  }
  struct Dead {
    std::uint32_t id = 0;
    Ring history;
  };
  Dead* dead = nullptr;  // a ring of kKeptDead; mapped, so that what is not used takes no memory
  unsigned dead_begin = 0, dead_end = 0;
  std::size_t dead_bytes = 0;
  void forget_oldest_dead() {
    Ring& oldest = dead[dead_begin++ % kKeptDead].history;
    dead_bytes -= oldest.bytes();
    oldest.release(pool);
  }
  void forget_dead() {
    while (dead_begin != dead_end) forget_oldest_dead();
  }
  ThreadState* youngest = nullptr;  // of those that are not buried
  ThreadState* free_states = nullptr;
  RegistryStats stats{};
#if STEWARD_SAMPLES
  struct Final {  // what a slot's last owner left behind
    explicit Final(Pool& p) : clock(p) {}
    LiveClock clock;
    Version version = 0;
  };
  Final* finals = nullptr;        // by slot
  Clock sampled[kMaxSlots] = {};  // of each slot, the last epoch in which it was sampled
  std::uint64_t work_done = 0;    // by threads that have ended
  std::uint64_t rules[2][pacer::kOrderRules] = {};  // likewise

  void note_sampled(Epoch e) {
    Clock& last = sampled[raw(e.slot())];
    if (last < e.clock()) last = e.clock();
  }
#endif
};

extern SpinLock registry_lock;  // guards all of it
extern ThreadState* const gone_thread;  // `current` of threads that have ended
extern Placed<Registry> registry;

// Under the lock: each thread that has not ended.
template <class F>
void for_living(F f) {
  for (ThreadState* t = registry->youngest; t != nullptr; t = t->older) {
    if (!t->ended) f(*t);
  }
}

}  // namespace steward::rt
