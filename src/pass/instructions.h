// Counts the instructions that a thread executes, for traces (docs/record.md).
#pragma once

#include "llvm/IR/Function.h"

namespace steward::pass {

// Asked for by STEWARD_COUNT_INSTRUCTIONS=1 in the compiler's environment (`steward cc --record`).
// No check is then left out or made inline: every access is to be in the trace.
bool counts_wanted();

// The function must have been through ThreadSanitizer's pass. Each basic block adds the number of
// its instructions to a variable of the thread.
void count_instructions(llvm::Function& function);

}  // namespace steward::pass
