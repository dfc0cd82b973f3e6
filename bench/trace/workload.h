// A synthetic execution of any length, the same for the same shape and seed.
//
// Threads run in turns, in bursts of whole operations. An operation walks over the thread's own
// data, reads a table that all share, updates data under a lock, or uses a volatile. The mix
// follows what the FastTrack paper measured over its 16 programs (PLDI 2009, figure 2): some 82%
// reads, 15% writes and 3% synchronisation, most accesses in the epoch of the last one. All data
// is guarded but for the planted races.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"

#include "analyze/random.h"

namespace steward::bench {

struct Shape {
  std::uint64_t events = 100'000'000;  // at least: the last burst is whole
  std::uint32_t threads = 8;
  std::uint32_t locks = 1024;
  std::uint64_t variables = std::uint64_t{1} << 20;  // 8-byte words in all
  double sync = 0.03;                                // share of synchronisation operations
  std::uint32_t burst = 500;                         // events a turn, on average
  std::uint32_t races = 16;                          // variables that nothing guards
  bool sites = true;
  bool functions = false;  // Enter and Exit around each operation
  std::uint64_t seed = 1;
};

class Workload {
 public:
  explicit Workload(const Shape& shape);

  // Appends the events of the next turn; false when the execution is over.
  bool next(std::vector<Event>& out);

 private:
  struct Region {  // some words of memory
    Address base;
    std::uint64_t words;
  };
  struct Thread {
    Region own;
    Address at = 0;               // where its walk goes on
    std::vector<Address> recent;  // a ring: what this thread will likely touch again
    std::size_t oldest = 0;
  };

  void begin();
  void turn(std::uint32_t t);
  void finish();

  void walk(std::uint32_t t);
  void read_table(std::uint32_t t);
  void synchronise(std::uint32_t t);
  void update_guarded(std::uint32_t t, std::uint64_t lock);
  void use_volatile(std::uint32_t t);
  void barrier();
  void race(std::uint32_t t);

  void enter(std::uint32_t t, std::uint64_t function);
  void exit(std::uint32_t t);
  void access(std::uint32_t t, bool write, Address variable);
  Event& emit(EventKind kind, std::uint32_t t);
  void emit_sync(EventKind kind, std::uint32_t t, std::uint64_t sync, SyncMode mode);
  void emit_aimed(EventKind kind, std::uint32_t t, std::uint32_t target);

  std::uint64_t skewed(std::uint64_t n);
  bool chance(unsigned percent) { return random_.below(100) < percent; }

  Shape shape_;
  analyze::Random random_;
  std::vector<Event>* out_ = nullptr;
  std::uint64_t emitted_ = 0;
  std::uint64_t syncs_ = 0;
  std::uint64_t next_barrier_ = 0;
  std::uint64_t next_race_ = 0;
  bool begun_ = false;
  bool over_ = false;
  std::uint32_t function_ = 0;  // of the operation under way
  std::uint32_t line_ = 0;      // accesses in it so far
  std::vector<Thread> threads_;
  Region table_{};
  Region guarded_{};
};

}  // namespace steward::bench
