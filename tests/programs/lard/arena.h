// An arena that hands out the same memory again and again and never calls free. Its own accesses and
// its lock are the system's.
#pragma once

#include <cstddef>
#include <mutex>

#include "../../../include/steward/lard.h"

class Arena {
 public:
  void* allocate(std::size_t bytes) {
    const System system;
    const std::lock_guard<std::mutex> guard(lock_);
    void* p = memory_ + used_;
    used_ += (bytes + 15) & ~std::size_t{15};
    ++allocated_;
    return p;
  }
  void reset() {
    const System system;
    const std::lock_guard<std::mutex> guard(lock_);
    steward_lard_clear_history(memory_, used_);
    used_ = 0;
  }

 private:
  struct System {
    System() { steward_lard_system_begin(); }
    ~System() { steward_lard_system_end(); }
  };
  alignas(64) char memory_[1 << 14];
  std::size_t used_ = 0;
  long allocated_ = 0;
  std::mutex lock_;
};
