// Loops that walk over memory in equal steps: their checks leave the loop, and whole stretches are
// checked at once before the loop goes through them.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace steward::pass {

struct RunCounts {
  unsigned loops = 0;
  unsigned checks = 0;  // that left their loop
};

// The call that checks `count` times `bytes` bytes without a gap, each `stride` bytes from the last,
// which the program accesses as elements.
void add_run_check(llvm::IRBuilder<>& b, bool write, llvm::Value* first, llvm::Value* bytes,
                   llvm::Value* count, std::uint64_t stride, unsigned element);

// After ThreadSanitizer's pass, before the others of ours.
RunCounts check_runs(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
// The same for a build to be recorded (instructions.h), in which every access is told of in its own
// round. Also counts the function's instructions: a stretch has those of all its rounds.
RunCounts record_runs(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace steward::pass
