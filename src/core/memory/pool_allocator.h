// A Pool behind the standard containers, for state that is not on a hot path.
#pragma once

#include "core/memory/pool.h"

namespace steward {

template <class T>
class PoolAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;

  explicit PoolAllocator(Pool& pool) : pool_(&pool) {}
  template <class U>
  explicit(false) PoolAllocator(const PoolAllocator<U>& o) : pool_(o.pool()) {}

  T* allocate(std::size_t n) { return static_cast<T*>(pool_->allocate(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { pool_->deallocate(p, n * sizeof(T)); }
  Pool* pool() const { return pool_; }
  template <class U>
  bool operator==(const PoolAllocator<U>& o) const {
    return pool_ == o.pool();
  }

 private:
  Pool* pool_;
};

}  // namespace steward
