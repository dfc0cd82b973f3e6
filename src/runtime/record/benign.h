// Memory whose races the program has declared harmless (AnnotateBenignRaceSized).
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

void declare_benign(uptr a, std::size_t size);
bool is_benign(uptr a, std::size_t size);

}  // namespace steward::rt
