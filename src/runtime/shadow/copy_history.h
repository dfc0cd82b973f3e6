// LARD's rule 4 for any two ranges that do not overlap, byte by byte where they are not aligned
// alike. Sync objects stay where they are.
#pragma once

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

void copy_history(uptr from, uptr to, std::size_t bytes);

}  // namespace steward::rt
