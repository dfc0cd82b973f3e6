// Looking ahead in the trace. The simulator waits for the host's memory, and each record that it
// needs names the next one; but the coming accesses are known. So what they will need is asked for
// beforehand, in stages that are some events apart: where a record is looked up, the record, the
// records that it names.
//
// A hint and nothing more: no stage changes the state of the simulation, and what it asks for may
// not be needed when the time comes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "event/event.h"

namespace steward::sim {

// A line that will be accessed.
struct Foreseen {
  std::uint64_t number = 0;
  std::uint8_t core = 0;
  bool write = false;
  bool known = false;  // the core's table has it
};

class Foresight {
 public:
  static constexpr unsigned kStages = 5;
  static constexpr unsigned kApart = 4;
  // How far ahead events are to be expected.
  static constexpr unsigned kAhead = (kStages + 1) * kApart;

  void runs_on(ThreadId thread, unsigned core) {
    cores_[raw(thread) % kThreads] = static_cast<std::uint8_t>(core);
  }

  // What happens at `time`, counted in events, at most kAhead from now.
  void expect(const Event& e, std::uint64_t time, unsigned line_shift) {
    open_ &= ~(std::uint64_t{1} << time % 64);
    if (!e.is_access()) return;
    const std::size_t t = raw(e.thread) % kThreads;
    const std::uint64_t number = e.address >> line_shift;
    auto& last = last_[t][number % kLast];
    if (last == static_cast<std::uint32_t>(number)) return;  // just now
    last = static_cast<std::uint32_t>(number);
    coming_[time % 64] = {number, cores_[t], e.kind == EventKind::Write, false};
    open_ |= std::uint64_t{1} << time % 64;
  }

  // Some events at a time, so that one stage is done for several lines before the next is: the host
  // guesses the way through a stage better when it has just been there.
  static bool is_turn(std::uint64_t now) { return now % kApart == 0; }
  // stage(s, line) for what is due; false: nothing more is to be done for the line.
  template <class F>
  void advance(std::uint64_t now, F stage) {
    if (open_ == 0) return;
    for (unsigned s = 0; s < kStages; ++s) {
      std::uint64_t due = open_ & kTurn << (now + (kStages - s) * kApart) % 64;
      for (; due != 0; due &= due - 1) {
        const auto at = static_cast<unsigned>(std::countr_zero(due));
        if (!stage(s, coming_[at])) open_ &= ~(std::uint64_t{1} << at);
      }
    }
  }

 private:
  static constexpr std::size_t kThreads = 64;
  static constexpr std::size_t kLast = 8;
  static constexpr std::uint64_t kTurn = (std::uint64_t{1} << kApart) - 1;
  static_assert(64 % kApart == 0);
  static_assert(kAhead < 64);

  std::array<Foreseen, 64> coming_{};
  std::uint64_t open_ = 0;  // bit t % 64: what happens at time t
  std::array<std::array<std::uint32_t, kLast>, kThreads> last_{};
  std::array<std::uint8_t, kThreads> cores_{};
};

}  // namespace steward::sim
