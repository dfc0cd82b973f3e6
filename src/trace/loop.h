// Rounds of a loop that does nothing but access memory, at addresses that move by a constant from
// round to round, and cannot synchronise: known before they are run. A block of a binary trace
// holds them as one entry; a reader returns every event that it stands for.
#pragma once

#include <cstdint>
#include <span>

#include "event/ids.h"
#include "trace/rules.h"

namespace steward::trace {

inline constexpr std::uint32_t kMaxRounds = 1 << 20;
inline constexpr std::size_t kMaxWalks = 64;
inline constexpr std::int64_t kMaxStep = std::int64_t{1} << 31;  // either way
inline constexpr std::uint64_t kMaxRoundInstructions = std::uint64_t{1} << 31;

// One access a round.
struct Walk {
  bool write = false;
  unsigned size_code = 0;  // not 0
  SiteId site = kNoSite;
  Address address = 0;  // in the first round
  std::int64_t step = 0;

  bool operator==(const Walk&) const = default;
};

// In each round the accesses of all walks, one after the other. Before the first of them, in every
// `told_every`-th round from the first on, how many instructions these rounds execute.
struct Loop {
  ThreadId thread{};
  bool system = false;
  std::uint32_t rounds = 0;
  std::uint64_t instructions = 0;  // a round; 0: not known
  std::uint32_t told_every = 1;
  std::span<const Walk> walks;

  std::uint64_t accesses() const { return std::uint64_t{rounds} * walks.size(); }
  std::uint64_t events() const {
    return accesses() + (instructions == 0 ? 0 : (rounds + told_every - 1) / told_every);
  }
};

// What it should have held, or null when all its events keep the rules of rules.h.
inline const char* broken_rule(const Loop& l) {
  if (l.thread == kAllThreads) return "one thread";
  if (l.rounds == 0 || l.rounds > kMaxRounds) return "1 to 1048576 rounds";
  if (l.walks.empty() || l.walks.size() > kMaxWalks) return "1 to 64 accesses a round";
  if (l.instructions > kMaxRoundInstructions) return "at most 2^31 instructions a round";
  if (l.told_every == 0 || l.told_every > kMaxRounds) return "a tale every 1 to 1048576 rounds";
  for (const Walk& w : l.walks) {
    if (w.size_code == 0 || w.size_code > 5) return "an access of a usual size";
    if (w.step > kMaxStep || w.step < -kMaxStep) return "steps of at most 2^31 bytes";
    const std::uint64_t way = static_cast<std::uint64_t>(w.step) * (l.rounds - 1);
    const std::uint64_t size = std::uint64_t{1} << (w.size_code - 1);
    if (!fits(w.address, size) || !fits(w.address + way, size)) {
      return "ranges that end at or below 2^63";
    }
  }
  return nullptr;
}

}  // namespace steward::trace
