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

// The same for many small pools: chunks of less than a page share pages, and stay. Pools that last
// as long as the process.
class SharedPages final : public PageSource {
 public:
  constexpr SharedPages() = default;
  static constexpr std::size_t kFirstChunk = 512;  // for Pool

  void* map(std::size_t bytes) override {
    if (bytes >= kPage) return kernel_.map(bytes);
    const Locked guard(lock_);
    if (left_ < bytes) {
      next_ = static_cast<char*>(kernel_.map(kBlock));
      left_ = kBlock;
    }
    void* p = next_;
    next_ += bytes;
    left_ -= bytes;
    return p;
  }
  void unmap(void* p, std::size_t bytes) override {
    if (bytes >= kPage) kernel_.unmap(p, bytes);
  }
  // Where pools may be in use meanwhile.
  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }

 private:
  static constexpr std::size_t kPage = 4096, kBlock = 64 * 1024;
  KernelPages kernel_;
  SpinLock lock_;  // guards the rest
  char* next_ = nullptr;
  std::size_t left_ = 0;
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
