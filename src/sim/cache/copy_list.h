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
    const std::uint32_t size = size_, order = order_;
    size_ = o.size_;
    order_ = o.order_;
    o.size_ = size;
    o.order_ = order;
    return *this;
  }
  ~CopyList() {
    if (order_ != 0) delete[] many();
  }

  const std::uint32_t* begin() const { return order_ != 0 ? many() : words_.data(); }
  const std::uint32_t* end() const { return begin() + size_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t operator[](std::uint32_t at) const { return begin()[at]; }

  // For a look ahead: of fewer, 0 or one that was there.
  std::array<std::uint32_t, 2> first_two() const { return {begin()[0], begin()[1]}; }

  void add(std::uint32_t copy) {
    if (order_ == 0 && size_ < kFew) {
      words_ = {copy, words_[0]};
      ++size_;
      return;
    }
    std::uint32_t* to = many();
    if (order_ == 0 || size_ == 1u << order_) {  // full
      const std::uint32_t order = order_ == 0 ? kFirstOrder : order_ + 1;
      to = new std::uint32_t[std::size_t{1} << order];
      std::copy(begin(), end(), to + 1);
      if (order_ != 0) delete[] many();
      words_ = std::bit_cast<Words>(to);
      order_ = order;
    } else {
      std::copy_backward(to, to + size_, to + size_ + 1);
    }
    to[0] = copy;
    ++size_;
  }
  void remove(std::uint32_t copy) {
    std::uint32_t* const first = order_ != 0 ? many() : words_.data();
    std::uint32_t* const end = first + size_;
    std::uint32_t* const found = std::find(first, end, copy);
    std::copy(found + 1, end, found);
    --size_;
    // Not as soon as there is room in the record: copies come and go.
    if (order_ != 0 && size_ < kFew) {
      words_ = {first[0], 0};
      order_ = 0;
      delete[] first;
    }
  }

 private:
  static constexpr std::uint32_t kFew = 2;
  static constexpr std::uint32_t kFirstOrder = 3;
  using Words = std::array<std::uint32_t, kFew>;

  std::uint32_t* many() const { return std::bit_cast<std::uint32_t*>(words_); }

  Words words_{};  // the numbers, or the address of an array
  std::uint32_t size_ : 24 = 0;
  std::uint32_t order_ : 8 = 0;  // the array has room for 2^order; 0: there is none
};
static_assert(sizeof(CopyList) == 12);

}  // namespace steward::sim
