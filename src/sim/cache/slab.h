// Records that are made and dropped by the million, found by a number, never moved.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace steward::sim {

inline constexpr std::uint32_t kNone = 0xffff'ffff;

template <class T>
class Slab {
 public:
  std::uint32_t make() {
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      (*this)[i] = T{};
      return i;
    }
    if (made_ % kChunk == 0) chunks_.push_back(std::make_unique<T[]>(kChunk));
    return made_++;
  }
  void drop(std::uint32_t i) { free_.push_back(i); }

  T& operator[](std::uint32_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  std::uint32_t live() const { return made_ - static_cast<std::uint32_t>(free_.size()); }

 private:
  static constexpr std::uint32_t kChunk = 1024;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t made_ = 0;
};

}  // namespace steward::sim
