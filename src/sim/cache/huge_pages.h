// Memory for the simulator's large tables, which the kernel may back with pages of 2 MB: what is
// looked up all over many megabytes costs a walk of the host's page tables nearly every time
// otherwise (0 to 15% of all time on recorded programs).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace steward::sim {

template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}  // NOLINT(google-explicit-constructor): an allocator's

  T* allocate(std::size_t n) {
    std::size_t bytes = n * sizeof(T);
    if (bytes < kLeast) return static_cast<T*>(::operator new(bytes, kAlign));
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* p = std::aligned_alloc(kPage, bytes);
    if (p == nullptr) throw std::bad_alloc();
    madvise(p, bytes, MADV_HUGEPAGE);  // advice: small pages do too
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < kLeast) {
      ::operator delete(p, kAlign);
    } else {
      std::free(p);
    }
  }
  bool operator==(const HugePages&) const { return true; }

 private:
  static constexpr std::size_t kPage = 2 << 20;
  static constexpr std::size_t kLeast = kPage / 2;
  static constexpr std::align_val_t kAlign{64};
};

}  // namespace steward::sim
