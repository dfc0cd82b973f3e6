// Prefetches of the program's.
#pragma once

#include "llvm/IR/Function.h"

namespace steward::pass {

// What the program asks for early it will access, and then its shadow is looked at first: that is
// asked for as well, where checks are on. Before the versions are made.
void prefetch_shadow(llvm::Function& f);

}  // namespace steward::pass
