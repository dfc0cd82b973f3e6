// Looking ahead in the trace. The simulator waits for the host's memory, and each record that it
// needs names the next one; but the coming accesses are known. So what they will need is asked for
// beforehand, in stages that are some lines apart: where a record is looked up, the record, the
// records that it names.
//
// A hint and nothing more: no stage changes the state of the simulation, and what it asks for may
// not be needed when the time comes. So the stages ask little whether it will be: hardly any branch
// here could be guessed by the host, and a wrong guess costs it as much as a hundred instructions.
// Where there is nothing to ask for, something that is at hand anyway is asked for.
#pragma once

#include <array>
#include <cstdint>

#include "event/event.h"
#include "sim/cache/slab.h"

namespace steward::sim {

// A line that will be accessed.
struct Foreseen {
  std::uint64_t number = 0;
  std::uint32_t record = 0;  // likely the line's, once a stage has looked
  std::uint8_t core = 0;
  std::uint8_t byte = 0;  // the first that is accessed
  // L3 will have to make room, as far as the record tells.
  bool brings_data = false;
  bool brings_metadata = false;
};

class Foresight {
 public:
  static constexpr unsigned kStages = 5;
  // Lines that go from stage to stage together.
  static constexpr unsigned kTogether = 2;
  // How many events ahead are to be expected.
  static constexpr unsigned kAhead = 32;

  void runs_on(ThreadId thread, unsigned core) {
    cores_[raw(thread) % kThreads] = static_cast<std::uint8_t>(core);
  }

  // What comes next, of what has not been told yet.
  void expect(const Event& e, unsigned line_shift) {
    const std::size_t t = raw(e.thread) % kThreads;
    const std::uint64_t number = e.address >> line_shift;
    auto& last = last_[t][number % kLast];
    const bool fresh = e.is_access() & (last != static_cast<std::uint32_t>(number));
    last = fresh ? static_cast<std::uint32_t>(number) : last;
    coming_[told_ % kLines] = {
        number,    0,
        cores_[t], static_cast<std::uint8_t>(e.address & ((Address{1} << line_shift) - 1)),
        false,     false};
    told_ += fresh ? 1 : 0;
  }

  // Whether there are lines for another turn, in which each stage is due for some of them: those
  // that had their first stage so many turns ago.
  bool next_turn() {
    if (told_ - turned_ < kTogether) return false;
    turned_ += kTogether;
    return true;
  }
  Foreseen& due(unsigned stage, unsigned which) {
    return coming_[(turned_ - (stage + 1) * kTogether + which) % kLines];
  }

 private:
  static constexpr std::size_t kThreads = 64;
  static constexpr std::size_t kLast = 8;
  static constexpr std::size_t kLines = 64;
  static_assert(kStages * kTogether + kAhead < kLines);

  std::array<Foreseen, kLines> coming_{};
  std::uint64_t told_ = 0;
  std::uint64_t turned_ = 0;
  std::array<std::array<std::uint32_t, kLast>, kThreads> last_{};
  std::array<std::uint8_t, kThreads> cores_{};
};

}  // namespace steward::sim
