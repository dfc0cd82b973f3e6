// Random traces in which races are rare. Accesses drawn blindly race nearly everywhere, and a byte
// that has raced says no more about RADISH. So the maker keeps the vector clocks of Section 3.1
// itself, takes every access that is in order and few of the others, and frees what has raced.
#pragma once

#include <array>
#include <map>

#include "analyze/random.h"
#include "support/events.h"

namespace steward::test {

struct Legal {
  unsigned threads = 3;
  unsigned lines = 3;  // of shared data, 64 bytes each
  unsigned items = 4;  // of each line that are accessed
  unsigned races = 8;  // one in so many accesses that would race is taken
  bool odd_sizes = false;
  bool memory = false;      // free and move
  bool identities = false;  // low-level threads change the language thread they run
  bool system = false;      // accesses of a run-time system
  bool atomics = false;
};

class LegalMaker {
 public:
  LegalMaker(const Legal& l, std::uint64_t seed) : l_(l), random_(seed) {
    for (unsigned t = 0; t < l_.threads; ++t) {
      clocks_[t][t] = 1;
      language_[t] = t;
    }
  }

  Trace make(std::size_t length) {
    while (trace_.size() < length) step();
    return numbered(std::move(trace_));
  }

 private:
  static constexpr unsigned kThreads = 6;
  static constexpr Address kBase = 0x10000;
  static constexpr Address kPrivate = 0x40000;
  static constexpr std::uint64_t kSync = 0x900000;

  using Times = std::array<unsigned, kThreads>;
  struct Byte {
    Times reads{}, writes{};
    bool operator==(const Byte&) const = default;
  };

  void step() {
    const auto low = static_cast<unsigned>(random_.below(l_.threads));
    // Runs of one thread, as in real executions: else every access moves a line.
    for (std::uint64_t n = 1 + random_.below(4); n != 0; --n) {
      const std::uint64_t what = random_.below(100);
      if (what < 45) {
        shared_access(low);
      } else if (what < 60) {
        private_access(low);
      } else if (what < 90) {
        sync(low);
      } else if (l_.memory && what < 98) {
        memory(low);
      } else if (l_.identities && what == 98) {
        swap_identities();
      } else if (l_.atomics && what == 99) {
        trace_.push_back(access(random_.below(2) == 0 ? EventKind::Write : EventKind::Read, low,
                                kPrivate + 0x8000 + 8 * random_.below(2), 8, true));
      }
    }
  }

  void shared_access(unsigned low) {
    const std::uint64_t line = random_.below(l_.lines);
    std::uint64_t size = std::uint64_t{1} << random_.below(4);
    Address a = kBase + 64 * line + 16 * random_.below(l_.items);
    if (l_.odd_sizes) {
      a += random_.below(8);
      size = 1 + random_.below(12);
    }
    const bool write = random_.below(3) == 0;
    const Event e = access(write ? EventKind::Write : EventKind::Read, low, a, size);
    if (l_.system && random_.below(8) == 0) {
      trace_.push_back(of_system(e));
      return;
    }
    const unsigned t = language_[low];
    bool race = false;
    for (Address b = a; b < a + size; ++b) {
      race = race || !before(bytes_[b].writes, t) || (write && !before(bytes_[b].reads, t));
    }
    if (race && random_.below(l_.races) != 0) return;
    trace_.push_back(e);
    for (Address b = a; b < a + size; ++b) {
      (write ? bytes_[b].writes : bytes_[b].reads)[t] = clocks_[t][t];
    }
    if (race && random_.below(8) != 0) {  // later accesses to it should be in order again
      const auto next = static_cast<unsigned>(random_.below(l_.threads));
      clear(next, a, size);
    }
  }

  // Nobody else's: pushes other lines out.
  void private_access(unsigned low) {
    const Address a =
        kPrivate + 0x400 * language_[low] + 64 * random_.below(4) + 8 * random_.below(8);
    trace_.push_back(random_.below(2) == 0 ? rd(low, a) : wr(low, a));
  }

  // Volatiles order just two threads at a time, so that orders stay partial.
  void sync(unsigned low) {
    const unsigned t = language_[low];
    const std::uint64_t m = random_.below(4);
    Times& object = objects_[m];
    if (random_.below(2) == 0) {
      trace_.push_back(vr(low, kSync + 64 * m));
      join(clocks_[t], object);
      return;
    }
    const bool replace = random_.below(3) == 0;
    trace_.push_back(replace ? vs(low, kSync + 64 * m) : vw(low, kSync + 64 * m));
    if (replace) object = {};
    join(object, clocks_[t]);
    ++clocks_[t][t];
  }

  void clear(unsigned low, Address a, std::uint64_t size) {
    trace_.push_back(free_of(low, a, size));
    for (Address b = a; b < a + size; ++b) bytes_[b] = {};
  }
  void memory(unsigned low) {
    const Address a = kBase + random_.below(64 * l_.lines);
    const std::uint64_t size = 1 + random_.below(random_.below(2) == 0 ? 16 : 80);
    if (random_.below(2) != 0) return clear(low, a, size);
    const Address to = kBase + random_.below(64 * l_.lines);
    trace_.push_back(move_of(low, a, to, size));
    std::vector<Byte> moved;
    for (std::uint64_t i = 0; i < size; ++i) moved.push_back(bytes_[a + i]);
    for (std::uint64_t i = 0; i < size; ++i) bytes_[to + i] = moved[i];
  }

  void swap_identities() {
    const std::size_t a = random_.below(l_.threads);
    const std::size_t b = random_.below(l_.threads);
    if (a == b) return;
    std::swap(language_[a], language_[b]);
    for (const std::size_t x : {a, b}) {
      trace_.push_back(switch_to(static_cast<unsigned>(x), language_[x]));
    }
  }

  bool before(const Times& times, unsigned t) const {
    for (unsigned u = 0; u < kThreads; ++u) {
      if (times[u] > clocks_[t][u]) return false;
    }
    return true;
  }
  static void join(Times& to, const Times& from) {
    for (unsigned u = 0; u < kThreads; ++u) to[u] = std::max(to[u], from[u]);
  }

  Legal l_;
  analyze::Random random_;
  Trace trace_;
  std::array<Times, kThreads> clocks_{};
  std::array<Times, 4> objects_{};
  std::array<unsigned, kThreads> language_{};
  std::map<Address, Byte> bytes_;
};

inline Legal legal(std::uint64_t seed) {
  Legal l;
  l.threads = 2 + static_cast<unsigned>(seed % 4);
  l.lines = 1 + static_cast<unsigned>(seed % 3);
  l.items = seed % 2 == 0 ? 1 : 4;
  l.odd_sizes = seed % 4 == 1;
  l.memory = seed % 3 != 0;
  l.identities = seed % 7 == 6;
  l.system = seed % 11 == 7;
  l.atomics = seed % 5 == 3;
  l.races = seed % 2 == 0 ? 3 : 12;
  return l;
}

}  // namespace steward::test
