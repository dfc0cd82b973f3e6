// What the runtime knows of a thread.
#pragma once

#include "core/literace/bursts.h"
#include "core/memory/pool.h"
#include "core/pacer/rules.h"
#include "runtime/history/history.h"
#if STEWARD_LOCKSET
#include "runtime/lockset/thread_part.h"
#endif
#include "runtime/shadow/recent_runs.h"
#include "runtime/trace/stream.h"

namespace steward::rt {

class alignas(64) ThreadState : public ThreadFields {
 public:
  explicit ThreadState(PageSource& pages, std::size_t first_chunk = Pool::kSmallChunk)
      : pool(pages, first_chunk), clock(pool) {}

  Pool pool;  // its own: no lock
  LiveClock clock;
  LiveClock acquire_fence{pool};  // what relaxed loads have read since the last acquire fence
  LiveClock release_fence{pool};  // the clock at the last release fence
  RecentRuns recent_runs;
#if STEWARD_SAMPLES
  // Releases whose clock equals this thread's as it is: to release over one would change nothing.
  struct Equals {
    static constexpr unsigned kCount = 8;
    std::uint64_t names[kCount] = {};
    unsigned next = 0;
    bool has(std::uint64_t name) const {
      for (std::uint64_t n : names) {
        if (n == name) return true;
      }
      return false;
    }
    void add(std::uint64_t name) {
      if (!has(name)) names[next++ % kCount] = name;
    }
    void clear() {
      if (next != 0) *this = {};
    }
  } equals;
  VersionVector versions{pool};  // of other threads' clocks received, and its own
  SpinLock clock_lock;           // held to change the clock, which the sweep reads
  std::uint64_t rules[2][pacer::kOrderRules] = {};  // Table 3's counters, while (not) sampling
#endif
#if STEWARD_LOCKSET
  discipline::ThreadPart lockset{pool};
#endif
#if STEWARD_BURSTS
  Bursts bursts{pool};
  std::uint64_t draws = 0;          // the state of its random numbers; 0: none drawn yet
  std::uint64_t executions[2] = {};  // of functions, skipped and sampled
#endif

  trace::Stream stream;  // of the recorder

  // The last: tables that are zero as they are mapped, and are not touched before they are used.
  History history;
  struct KnownStack {
    std::uint64_t hash;
    StackId stack;
  };
  // Sets of a few, the last used first: two that are in constant use do not put each other out.
  static constexpr unsigned kKnownSets = 16, kKnownInSet = 4;
  KnownStack known_stacks[kKnownSets][kKnownInSet];

  bool covers(Epoch e) const { return clock.covers(e); }
  void set_epoch(Epoch e) {
    epoch = pack(e);
    word = Word::uniform(epoch).bits();
  }
  Epoch now() const { return unpack(epoch); }  // of its accesses
  Epoch latest() const { return {now().slot(), clock[now().slot()]}; }  // of its clock, not earlier

  // The value its clock has now, and whether it has received another's.
#if STEWARD_SAMPLES
  ReleaseName name() const { return {now().slot(), versions[now().slot()]}; }
  bool has(ReleaseName n) const { return n.version() <= versions[n.slot()]; }
  void received(ReleaseName n) {
    if (n != kMixed) versions.set(n.slot(), n.version());
  }
  void next_version() {
    versions.set(now().slot(), versions[now().slot()] + 1);
    equals.clear();
  }
#else
  ReleaseName name() const { return latest(); }
  bool has(ReleaseName n) const { return clock.covers(n); }
  void received(ReleaseName) {}
#endif
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
// For a read, another that the read word may look like: that of a crowd it is in (shadow/crowd.h).
extern "C" __thread std::uint64_t __steward_crowd_word __attribute__((tls_model("initial-exec")));
// How many instructions this kernel thread has executed in code that counts them (src/pass).
extern "C" __thread std::uint64_t __steward_instructions
    __attribute__((tls_model("initial-exec")));
// Its atomic operations in code that did them itself, while nothing was checked (src/pass).
extern "C" __thread std::uint64_t __steward_work __attribute__((tls_model("initial-exec")));
inline void show_word(std::uint64_t word) {
  __steward_word = word;
  __steward_read_word = word;
  if constexpr (!kSamples) __steward_crowd_word = word;
}

}  // namespace steward::rt
