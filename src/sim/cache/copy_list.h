// Which metadata copies a line has, the latest first. Numbers side by side and not a chain through
// the copies, so that the host's memory is asked for all of them at once; up to two, which is
// nearly all lines, within the line's own record.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace steward::sim {

class CopyList {
 public:
  CopyList() = default;
  CopyList(CopyList&& o) noexcept { *this = std::move(o); }
  CopyList& operator=(CopyList&& o) noexcept {
    std::swap(words_, o.words_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~CopyList() {
    if (size_ > kFew) delete[] many();
  }

  const std::uint32_t* begin() const { return size_ > kFew ? many() : words_.data(); }
  const std::uint32_t* end() const { return begin() + size_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t operator[](std::uint32_t at) const { return begin()[at]; }

  void add(std::uint32_t copy) {
    if (size_ < kFew) {
      words_ = {copy, words_[0]};
      ++size_;
      return;
    }
    std::uint32_t* to = many();
    if (std::has_single_bit(size_)) {  // full
      to = new std::uint32_t[2 * std::size_t{size_}];
      std::copy(begin(), end(), to + 1);
      if (size_ > kFew) delete[] many();
      words_ = std::bit_cast<Words>(to);
    } else {
      std::copy_backward(to, to + size_, to + size_ + 1);
    }
    to[0] = copy;
    ++size_;
  }
  void remove(std::uint32_t copy) {
    std::uint32_t* const first = size_ > kFew ? many() : words_.data();
    std::uint32_t* const end = first + size_;
    std::copy(std::find(first, end, copy) + 1, end, std::find(first, end, copy));
    if (--size_ == kFew) {
      words_ = {first[0], first[1]};
      delete[] first;
    }
  }

 private:
  static constexpr std::uint32_t kFew = 2;
  using Words = std::array<std::uint32_t, kFew>;

  std::uint32_t* many() const { return std::bit_cast<std::uint32_t*>(words_); }

  Words words_{};  // the numbers, or the address of an array, of the next power of two
  std::uint32_t size_ = 0;
};
static_assert(sizeof(CopyList) == 12);

}  // namespace steward::sim
