// Could this trace be an execution? Checks the rules a real run keeps and a hand-written or damaged
// trace may break: locks have one holder, threads act between their fork and their end.
//
// A thread that appears without a fork is a root, and fine. After Switch the events of a low-level
// thread belong to the language thread it runs. Events of the run-time system are not checked for
// locks: it may use them in ways of its own.
//
// Memory follows the locks held, the calls open and one byte or so a thread that ever lived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/event.h"
#include "trace/names.h"

namespace steward::trace {

class Feasibility {
 public:
  // The names must outlive the checker; they may grow.
  explicit Feasibility(const Names& names) : names_(&names) {}

  // Why this event cannot come next, or nothing. A refused event leaves the state as it was.
  std::optional<std::string> check(const Event& e) {
    // Between two events that change who lives, accesses of one thread need one comparison.
    if (e.is_access() && e.thread == live_) return std::nullopt;
    return check_slowly(e);
  }

 private:
  enum class Life : std::uint8_t { Unseen, Forked, Live, Ended, Joined };

  struct Hold {
    ThreadId thread{};
    std::uint32_t depth = 0;  // of recursive acquires
  };
  struct Lock {
    Hold writer;
    std::vector<Hold> readers;
  };
  struct Thread {
    std::vector<FunctionId> calls;  // entered and not yet left
    bool sampling = false;
  };

  using Complaint = std::optional<std::string>;

  Complaint check_slowly(const Event& e);
  Complaint check_kind(const Event& e, ThreadId t);
  Complaint may_act(ThreadId t) const;
  Complaint acquire(const Event& e, ThreadId t);
  Complaint release(const Event& e, ThreadId t);
  Complaint fork(ThreadId t, ThreadId child);
  Complaint join(ThreadId t, ThreadId child);
  Complaint exit(ThreadId t, FunctionId f);
  Complaint sample(const Event& e, ThreadId t);
  Complaint run(ThreadId carrier, ThreadId t);

  Life life(ThreadId t) const;
  void set_life(ThreadId t, Life l);
  ThreadId language_thread(ThreadId carrier) const;

  const Names* names_;
  // The last low-level thread found to run a live one; kAllThreads when that may have changed.
  ThreadId live_ = kAllThreads;
  std::vector<Life> small_lives_;  // of threads with small numbers
  std::unordered_map<std::uint32_t, Life> large_lives_;
  std::unordered_map<std::uint32_t, Thread> threads_;    // with calls open or sampling
  std::unordered_map<std::uint32_t, ThreadId> carried_;  // low-level -> language thread
  std::unordered_map<std::uint64_t, Lock> locks_;        // those held
  bool all_sampling_ = false;
};

}  // namespace steward::trace
