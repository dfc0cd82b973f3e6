// Chunks for the core's pools, from the kernel.
#pragma once

#include "core/memory/pool.h"
#include "runtime/mem/lock.h"
#include "runtime/platform/linux/sys.h"

namespace steward::rt {

class KernelPages final : public PageSource {
 public:
  constexpr KernelPages() = default;
  void* map(std::size_t bytes) override { return sys::map(round(bytes)); }
  void unmap(void* p, std::size_t bytes) override { sys::unmap(p, round(bytes)); }

 private:
  static std::size_t round(std::size_t n) { return (n + 4095) & ~std::size_t{4095}; }
};

// A global object without a constructor that runs: made in place by the runtime's start.
template <class T>
class Placed {
 public:
  template <class... Args>
  void make(Args&&... args) {
    new (storage_) T(static_cast<Args&&>(args)...);
  }
  T& operator*() { return *reinterpret_cast<T*>(storage_); }
  T* operator->() { return reinterpret_cast<T*>(storage_); }

 private:
  alignas(T) unsigned char storage_[sizeof(T)];
};

}  // namespace steward::rt
