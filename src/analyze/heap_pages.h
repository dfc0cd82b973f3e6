// Chunks for detector state from the ordinary heap: the analyser is no guest in another process.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "core/memory/pool.h"

namespace steward::analyze {

class HeapPages final : public PageSource {
 public:
  void* map(std::size_t bytes) override {
    if (bytes < kHugePage) return ::operator new(bytes);
    // State is looked up all over memory: with small pages the processor looks for the page's
    // address nearly as long as for the state.
    void* p = ::operator new(bytes, std::align_val_t{kHugePage});
    madvise(p, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on it
    return p;
  }
  void unmap(void* p, std::size_t bytes) override {
    if (bytes < kHugePage) {
      ::operator delete(p);
    } else {
      ::operator delete(p, std::align_val_t{kHugePage});
    }
  }

 private:
  static constexpr std::size_t kHugePage = 2 * 1024 * 1024;
};

}  // namespace steward::analyze
