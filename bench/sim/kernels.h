// Programs with known shapes, as traces for the simulator: what is shared, how, and at which sizes.
#pragma once

#include <span>

#include "world.h"

namespace steward::bench {

struct Kernel {
  const char* name;
  const char* about;
  void (*run)(World& world, unsigned threads, unsigned scale);
};

std::span<const Kernel> kernels();

}  // namespace steward::bench
