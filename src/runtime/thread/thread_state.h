// What the runtime knows of a thread.
#pragma once

#include "core/clock/vector_clock.h"
#include "core/memory/pool.h"
#include "runtime/history/history.h"

namespace steward::rt {

class alignas(64) ThreadState : public ThreadFields {
 public:
  explicit ThreadState(PageSource& pages) : pool(pages), clock(pool) {}

  Pool pool;  // its own: no lock
  VectorClock clock;
  VectorClock acquire_fence{pool};  // what relaxed loads have read since the last acquire fence
  VectorClock release_fence{pool};  // the clock at the last release fence
  History history;

  bool covers(Epoch e) const { return clock.covers(e); }
  void set_epoch(Epoch e) {
    epoch = pack(e);
    word = Word::uniform(epoch).bits();
  }
  Epoch now() const { return unpack(epoch); }
};

// Never null: a thread that is not (or no longer) known has `no_thread`, whose epoch is 0 and whose
// word no cell shows.
extern ThreadState* const no_thread;
// __thread, not thread_local: the latter asks at every use whether it must be initialised.
extern __thread ThreadState* current __attribute__((tls_model("initial-exec")));
// current->word for code that checks inline (src/pass): what the write word, or for a read the read
// word, looks like of a granule that need not be checked.
extern "C" __thread std::uint64_t __steward_word __attribute__((tls_model("initial-exec")));
extern "C" __thread std::uint64_t __steward_read_word __attribute__((tls_model("initial-exec")));
inline void show_word(std::uint64_t word) {
  __steward_word = word;
  __steward_read_word = word;
}

}  // namespace steward::rt
