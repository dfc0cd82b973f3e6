// Accesses that the trace says will come, in the order in which they will. Each goes through stages
// while others come behind it; what one stage asked of the host's memory has arrived when the next
// one looks at it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cache/byte_clocks.h"

namespace steward::sim {

// One of them, as far as looking ahead has come with it.
struct Coming {
  std::uint64_t number = 0;  // of the line
  Bytes bytes = 0;
  std::uint32_t context = 0;  // of the core, as it is now
  std::uint8_t core = 0;
  bool write = false;
  bool slow = false;  // software will be asked
};

// Which keys came up among the last few. It forgets some: good for hints only.
class Lately {
 public:
  // From now on it did.
  bool did(std::uint64_t key, std::uint64_t now, std::uint64_t window) {
    Entry& e = entries_[(key ^ key >> 8) % entries_.size()];
    const bool yes = e.key == key && now - e.at < window;
    if (!yes) e = {key, now};
    return yes;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t at = 0;
  };
  std::array<Entry, 64> entries_{};
};

class ComingAccesses {
 public:
  static constexpr unsigned kStages = 6;
  static constexpr unsigned kApart = 2;

  // False: one like it is on its way already, and nothing happens. Else all go on.
  bool add(const Coming& c) {
    const std::uint64_t key = c.number << 8 | std::uint64_t{c.core} << 1 | (c.write ? 1 : 0);
    if (recent_.did(key, now_, kStages * kApart)) return false;
    ++now_;
    at(0) = c;
    return true;
  }
  // The one that is at this stage now.
  Coming& at(unsigned stage) {
    return ring_[(now_ - std::uint64_t{stage} * kApart) % ring_.size()];
  }

  // What one check by software will import need not be foreseen for the next one.
  bool foreseen(const Coming& c) {
    return slow_.did(c.number << 8 | c.core, now_, 2 * kStages * kApart);
  }

 private:
  std::array<Coming, 16> ring_{};
  static_assert(kStages * kApart <= 16);
  std::uint64_t now_ = 0;
  Lately recent_, slow_;
};

}  // namespace steward::sim
