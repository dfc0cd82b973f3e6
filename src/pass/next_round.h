// Where a loop goes next if that hangs on what it reads now: a bisection goes on in one half or the
// other. Both addresses can be had before the read.
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace steward::pass {

class NextRound {
 public:
  // What `v`, which a block computes, will be in the block's next round, seen from `here` in that
  // block: one of two values, which a few instructions without an effect make. To be asked before
  // the block is split.
  static std::optional<NextRound> of(llvm::Value* v, const llvm::Instruction* here);
  // The one or the other, where `b` stands: behind `here`.
  llvm::Value* make(llvm::IRBuilder<>& b, bool first) const;

 private:
  NextRound() = default;
  bool add(llvm::Value* v, bool next);
  bool add_select(llvm::SelectInst* s);
  bool knows(const llvm::Value* v, bool next) const;

  // Of this round or the next: an instruction is repeated; a phi is what the round before gives it,
  // a select one of two.
  struct Step {
    llvm::Instruction* value;
    bool next;
  };
  llvm::Value* value_ = nullptr;
  llvm::Value* choice_ = nullptr;  // not known yet
  const llvm::Instruction* here_ = nullptr;
  llvm::BasicBlock* block_ = nullptr;
  const llvm::BasicBlock* header_ = nullptr;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 4> given_;  // to phis, by the block
  llvm::SmallVector<Step, 8> steps_;                                     // in order
};

}  // namespace steward::pass
