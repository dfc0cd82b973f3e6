// Chunks for the simulator's maps from the ordinary heap.
#pragma once

#include "core/memory/pool.h"
#include "sim/cache/huge_pages.h"

namespace steward::sim {

class HeapPages final : public PageSource {
 public:
  void* map(std::size_t bytes) override { return HugePages<std::byte>().allocate(bytes); }
  void unmap(void* p, std::size_t bytes) override {
    HugePages<std::byte>().deallocate(static_cast<std::byte*>(p), bytes);
  }
};

}  // namespace steward::sim
