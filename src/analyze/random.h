// A seeded generator (splitmix64): the same seed samples the same periods on every machine.
#pragma once

#include "core/detector/draws.h"

namespace steward::analyze {

class Random final : public Draws {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t draw() override {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
    return z ^ (z >> 31);
  }
  // Uniform in [0, n). The bias of the remainder is below 2^-32 for the n used here.
  std::uint64_t below(std::uint64_t n) { return draw() % n; }

 private:
  std::uint64_t state_;
};

}  // namespace steward::analyze
