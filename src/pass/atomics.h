// Atomic operations done in place while nothing is checked: the detector is called only if checks
// are on, or were switched on meanwhile.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"

namespace steward::pass {

// In all blocks but those where `is_checked`: code that runs while checks are on. Returns how many.
unsigned inline_atomics(llvm::Function& f, llvm::GlobalVariable& active_flag,
                        llvm::function_ref<bool(llvm::BasicBlock*)> is_checked);

// Is it a hook that can be treated so?
bool is_plain_atomic(const llvm::Instruction& i);

}  // namespace steward::pass
