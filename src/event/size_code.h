// The usual sizes of an access in three bits, in traces and on the way there: 1 to 5 are 1, 2, 4, 8
// and 16 bytes; 0: the size is said apart.
#pragma once

#include <cstdint>

namespace steward {

constexpr unsigned size_code(std::uint64_t size) {
  switch (size) {
    case 1:
      return 1;
    case 2:
      return 2;
    case 4:
      return 3;
    case 8:
      return 4;
    case 16:
      return 5;
    default:
      return 0;
  }
}

}  // namespace steward
