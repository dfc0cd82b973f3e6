// Counts the instructions that a thread executes, for traces (docs/record.md).
#pragma once

#include "llvm/IR/BasicBlock.h"

namespace steward::pass {

// Asked for by STEWARD_COUNT_INSTRUCTIONS=1 in the compiler's environment (`steward cc --record`).
// No check is then left out or made inline: every access is to be in the trace. Those of some loops
// are told of by stretches (runs.h).
bool counts_wanted();

// The function must have been through ThreadSanitizer's pass. How many instructions a block has,
// and code that adds them to a variable of the thread.
unsigned instructions_of(const llvm::BasicBlock& block);
void count_instructions(llvm::BasicBlock& block);

}  // namespace steward::pass
