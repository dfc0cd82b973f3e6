// Numbers of one to nine bytes whose first byte tells the length: with n bytes its low n-1 bits are
// 0 and the next is 1; the bits above and the bytes that follow, little-endian, hold the value.
// A first byte of 0 is followed by all 64 bits. Unlike LEB128 this decodes without a loop.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace steward::trace {

static_assert(std::endian::native == std::endian::little);

inline constexpr unsigned kMaxVarint = 9;

// Writes up to kMaxVarint bytes and returns their end.
inline char* put_varint(char* to, std::uint64_t v) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(v | 1));
  if (bits > 56) {
    *to = 0;
    std::memcpy(to + 1, &v, sizeof v);
    return to + kMaxVarint;
  }
  const unsigned n = (bits + 6) / 7;
  const std::uint64_t word = (v << 1 | 1) << (n - 1);
  std::memcpy(to, &word, sizeof word);
  return to + n;
}

// Reads up to kMaxVarint bytes, all of which must be readable, and moves `at` past the number.
inline std::uint64_t get_varint(const char*& at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if ((word & 0xff) == 0) [[unlikely]] {
    std::memcpy(&word, at + 1, sizeof word);
    at += kMaxVarint;
    return word;
  }
  const unsigned n = static_cast<unsigned>(std::countr_zero(word)) + 1;
  const unsigned above = 64 - 8 * n;
  at += n;
  return word << above >> (above + n);
}

// Small numbers of either sign become small numbers.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t v) {
  return v >> 1 ^ (0 - (v & 1));
}

}  // namespace steward::trace
