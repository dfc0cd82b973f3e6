// Addresses that the program computes later in a block, wanted earlier.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace steward::pass {

// May it be repeated where the program would not come?
bool has_no_effect(const llvm::Instruction& i);

// How to compute a value at an earlier place of its block, from what is there.
class Ahead {
 public:
  // Finds out whether `v` can be had before `here`, in the same block: it is there already, or a
  // few instructions without an effect make it. To be asked before the block is split.
  static bool can(llvm::Value* v, const llvm::Instruction* here, Ahead& out);
  // The value, where `b` stands: behind `here`.
  llvm::Value* make(llvm::IRBuilder<>& b) const;

 private:
  bool add(llvm::Value* v, const llvm::Instruction* here);

  llvm::Value* value_ = nullptr;
  llvm::SmallVector<llvm::Instruction*, 4> steps_;  // to repeat, in order
};

}  // namespace steward::pass
