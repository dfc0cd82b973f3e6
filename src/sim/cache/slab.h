// Records that are made and dropped by the million, found by a number, never moved.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "core/memory/prefetch.h"
#include "sim/cache/huge_pages.h"

namespace steward::sim {

inline constexpr std::uint32_t kNone = 0xffff'ffff;

template <class T>
class Slab {
 public:
  // `most`: more than that there never are. Room for them is set aside and costs memory only once
  // it is used; so a record is found without a table of chunks. The record 0 is nobody's, for who
  // looks at one whether there is one or not.
  explicit Slab(std::uint64_t most) {
    records_.reserve(most + 1);
    records_.emplace_back();
  }

  std::uint32_t make() {
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      if (!free_.empty()) prefetch(free_.back());
      records_[i] = T{};
      return i;
    }
    assert(records_.size() < records_.capacity());
    records_.emplace_back();
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  void drop(std::uint32_t i) { free_.push_back(i); }

  T& operator[](std::uint32_t i) { return records_[i]; }
  const T& operator[](std::uint32_t i) const { return records_[i]; }

  // Soon [i] will be asked for.
  void prefetch(std::uint32_t i) const {
    const char* record = reinterpret_cast<const char*>(records_.data() + i);
    for (std::size_t at = 0; at < sizeof(T); at += 64) prefetch_line(record + at);
  }
  // Where record i is, or would be.
  const void* at(std::uint32_t i) const { return records_.data() + i; }
  // Only for the first line of the host's cache.
  void prefetch_head(std::uint32_t i) const { prefetch_line(records_.data() + i); }

  std::uint32_t live() const {
    return static_cast<std::uint32_t>(records_.size() - 1 - free_.size());
  }

 private:
  std::vector<T, HugePages<T>> records_;
  std::vector<std::uint32_t> free_;
};

}  // namespace steward::sim
