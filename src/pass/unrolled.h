// Loops that the optimiser has unrolled: many checks of one line, side by side, become one.
#pragma once

#include "llvm/IR/Function.h"

namespace steward::pass {

// Returns how many checks went. After redundant ones have gone.
unsigned join_unrolled(llvm::Function& function);

}  // namespace steward::pass
