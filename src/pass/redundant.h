// Checks that another check stands for.
#pragma once

#include "llvm/IR/Function.h"

namespace steward::pass {

struct RedundantCounts {
  unsigned repeated = 0;   // the same bytes were checked on every way here
  unsigned announced = 0;  // ... are checked on every way from here
};

RedundantCounts remove_redundant(llvm::Function& function);

}  // namespace steward::pass
