// Random numbers are the caller's: the core stays a function of its inputs. Drawn once a period or
// a burst, so the call may be virtual.
#pragma once

#include <cstdint>

namespace steward {

class Draws {
 public:
  virtual std::uint64_t draw() = 0;  // uniform over 64 bits

 protected:
  ~Draws() = default;
};

// A draw as a number in [0, 1).
constexpr double unit(std::uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1.0p-53;
}

}  // namespace steward
