// From what a process tells to the events of a trace.
//
// A trace knows objects with one clock, which a release sets and a release-merge adds to. C++'s
// atomics are more: a relaxed store ends the release sequence of its location, and a fence lends
// its clock to stores that come later. So a location stands for a set of objects, those that an
// acquire of it would receive: its own, and those of fences. Memory that is used again, or a lock
// that is made anew, gets objects of another name.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/event_buffer.h"
#include "cli/record_lanes.h"
#include "cli/record_names.h"
#include "event/event.h"

namespace steward::cli {

class RecordTranslator {
 public:
  explicit RecordTranslator(RecordedCode& code) : code_(code) {}

  // Appends the events that it stands for.
  void take(const RawEvent& raw, EventBuffer& out) {
    // Nearly all are accesses.
    if (raw.op != rt::trace::Op::Read && raw.op != rt::trace::Op::Write) return translate(raw, out);
    Event& e = out.next();
    e.kind = raw.op == rt::trace::Op::Read ? EventKind::Read : EventKind::Write;
    e.system = raw.system;
    e.thread = ThreadId{raw.thread};
    e.site = code_.site(raw.where);
    e.address = raw.address;
    e.size = raw.size;
  }

  bool counts_instructions() const { return counts_instructions_; }

 private:
  // Objects beyond the addresses and their generations.
  static constexpr std::uint64_t kFirstFresh = std::uint64_t{1} << 61;

  using Objects = std::vector<std::uint64_t>;

  struct Location {
    std::uint32_t generation = 0;
    bool used = false;    // an object of this generation is in the trace
    bool pinned = false;  // a relaxed load's thread may still receive `own` as it is
    std::uint64_t own = 0;
    Objects published;  // what an acquire receives
  };
  struct Thread {
    std::vector<FunctionId> calls;
    std::unordered_set<std::uint64_t> read;  // by relaxed loads since the last acquire fence
    std::uint64_t fence = 0;  // the object of the last release fence; 0: there was none
    bool fence_used = false;
  };

  void translate(const RawEvent& raw, EventBuffer& out);
  Thread& thread(std::uint32_t carrier);
  Location& location(std::uint64_t address);
  std::uint64_t own(Location& l, std::uint64_t address);
  void renew(std::uint64_t begin, std::uint64_t end);
  void renew(Location& l);

  void atomic(const RawEvent& raw, EventBuffer& out);
  void untracked_atomic(const RawEvent& raw, EventBuffer& out);
  void fence(const RawEvent& raw, EventBuffer& out);
  void move(const RawEvent& raw, EventBuffer& out);
  void leave_calls(const RawEvent& raw, std::uint64_t depth, EventBuffer& out);
  void enter(const RawEvent& raw, EventBuffer& out);

  RecordedCode& code_;
  std::unordered_map<std::uint32_t, Thread> threads_;         // by language thread
  std::unordered_map<std::uint32_t, std::uint32_t> carries_;  // low-level -> language thread
  std::unordered_map<std::uint64_t, Location> locations_;
  std::unordered_map<std::uint64_t, Objects> pages_;  // page -> locations in it, by address
  std::uint64_t next_fresh_ = kFirstFresh;            // an object that is no address's
  bool any_acquire_fence_ = false;
  bool counts_instructions_ = false;
};

}  // namespace steward::cli
