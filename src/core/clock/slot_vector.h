// A growable array indexed by slot, in a Pool; slots past the end hold T{}.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/clock/epoch.h"
#include "core/memory/pool.h"

namespace steward {

template <class T>
class SlotVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SlotVector(Pool& pool) : pool_(&pool) {}
  SlotVector(SlotVector&& o) noexcept
      : pool_(o.pool_),
        values_(std::exchange(o.values_, nullptr)),
        size_(std::exchange(o.size_, 0)),
        capacity_(std::exchange(o.capacity_, 0)) {}
  SlotVector& operator=(SlotVector&& o) noexcept {
    std::swap(values_, o.values_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
    return *this;
  }
  ~SlotVector() { release(); }

  T operator[](Slot s) const { return raw(s) < size_ ? values_[raw(s)] : T{}; }
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }

  void set(Slot s, T value) {
    grow(raw(s) + 1);
    values_[raw(s)] = value;
  }

  void clear() { size_ = 0; }  // keeps its memory

  void copy(const SlotVector& o) {
    if (capacity_ < o.size_) {
      release();
      reserve(o.capacity_);
    }
    if (o.size_ != 0) std::memcpy(values_, o.values_, o.size_ * sizeof(T));
    size_ = o.size_;
  }

 protected:
  void grow(std::uint32_t n) {
    if (n <= size_) return;
    if (n > capacity_) {
      SlotVector bigger(*pool_);
      bigger.reserve(std::max({n, capacity_ * 2, 4u}));
      bigger.copy(*this);
      *this = std::move(bigger);
    }
    std::fill(values_ + size_, values_ + n, T{});
    size_ = n;
  }

  Pool* pool_;
  T* values_ = nullptr;
  std::uint32_t size_ = 0;

 private:
  void reserve(std::uint32_t n) {
    values_ = static_cast<T*>(pool_->allocate(n * sizeof(T)));
    capacity_ = n;
  }
  void release() {
    if (values_ != nullptr) pool_->deallocate(values_, capacity_ * sizeof(T));
    values_ = nullptr;
    size_ = capacity_ = 0;
  }

  std::uint32_t capacity_ = 0;
};

}  // namespace steward
