// For adversarial memory (docs/classify.md): plain loads and stores become calls that carry the
// value, so that a runtime may answer a load with another one, and the program tells what each of
// them accesses.
#pragma once

#include "llvm/IR/Module.h"

namespace steward::pass {

// Asked for by STEWARD_VALUE_HOOKS=1 in the compiler's environment (`steward cc --jumble`).
bool value_hooks_wanted();

// In every function that ThreadSanitizer's pass is going to instrument, and before it does.
void add_value_hooks(llvm::Module& module);

}  // namespace steward::pass
