// The lockset tool's barriers: the runtime is told of each pointer that the program loads, and of
// each that it stores and where.
#pragma once

#include "llvm/IR/Module.h"

namespace steward::pass {

// Asked for by STEWARD_POINTER_HOOKS=1 in the compiler's environment (`steward cc --lockset`),
// since every load and store of a pointer pays for it.
bool pointer_hooks_wanted();

// Of plain loads and stores; atomic ones tell the runtime their values already.
void add_pointer_hooks(llvm::Function& function);
// Once for a module that has some: the runtime then knows that it will be told.
void announce_pointer_hooks(llvm::Module& module);

}  // namespace steward::pass
