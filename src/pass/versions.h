// Two versions of a function's code, one with its checks and one without, and a test of one byte
// that chooses between them wherever the choice may have changed: at the function's entry, at
// every loop, after every call.
#pragma once

#include "llvm/IR/Function.h"

namespace steward::pass {

// Code that may synchronise, block or run long: what was chosen before it may no longer hold after
// it, nor need the thread's epoch be the same.
bool may_change_epoch(const llvm::Instruction& i);

// The function must have been through ThreadSanitizer's pass. False: it has nothing to leave out,
// or it is one of the few that are left as they are (docs/pass.md): then its checks are always on.
bool make_versions(llvm::Function& function);

}  // namespace steward::pass
