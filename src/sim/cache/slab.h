// Records that are made and dropped by the million, found by a number, never moved.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/cache/huge_pages.h"

namespace steward::sim {

inline constexpr std::uint32_t kNone = 0xffff'ffff;

template <class T>
class Slab {
 public:
  // `expected`: how many there usually are.
  explicit Slab(std::uint64_t expected)
      : bits_(std::min(15u, static_cast<unsigned>(std::bit_width(expected)))) {}

  std::uint32_t make() {
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      (*this)[i] = T{};
      return i;
    }
    if (made_ >> bits_ == chunks_.size()) chunks_.emplace_back().reserve(std::size_t{1} << bits_);
    chunks_.back().emplace_back();
    return made_++;
  }
  void drop(std::uint32_t i) { free_.push_back(i); }

  T& operator[](std::uint32_t i) { return chunks_[i >> bits_][i & ((1u << bits_) - 1)]; }
  const T& operator[](std::uint32_t i) const {
    return chunks_[i >> bits_][i & ((1u << bits_) - 1)];
  }

  std::uint32_t live() const { return made_ - static_cast<std::uint32_t>(free_.size()); }

 private:
  unsigned bits_;  // of a chunk's size
  std::vector<std::vector<T, HugePages<T>>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t made_ = 0;
};

}  // namespace steward::sim
