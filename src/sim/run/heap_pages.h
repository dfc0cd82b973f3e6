// Chunks for the simulator's maps from the ordinary heap.
#pragma once

#include <new>

#include "core/memory/pool.h"

namespace steward::sim {

class HeapPages final : public PageSource {
 public:
  void* map(std::size_t bytes) override { return ::operator new(bytes); }
  void unmap(void* p, std::size_t) override { ::operator delete(p); }
};

}  // namespace steward::sim
