// Chunks for detector state from the ordinary heap: the analyser is no guest in another process.
#pragma once

#include <new>

#include "core/memory/pool.h"

namespace steward::analyze {

class HeapPages final : public PageSource {
 public:
  void* map(std::size_t bytes) override { return ::operator new(bytes); }
  void unmap(void* p, std::size_t) override { ::operator delete(p); }
};

}  // namespace steward::analyze
