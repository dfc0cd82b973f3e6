// The same-epoch check in the program itself: a call of the detector's hook for a load or store is
// made only if the shadow does not show that this epoch has touched the bytes already.
#pragma once

#include "llvm/IR/Module.h"

namespace steward::pass {

// Puts the check before every call of an aligned access hook in the function. Returns how many
// share a neighbour's.
unsigned inline_checks(llvm::Function& function);

}  // namespace steward::pass
