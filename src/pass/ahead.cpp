#include "pass/ahead.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace steward::pass {

using namespace llvm;

namespace {
constexpr unsigned kMostSteps = 6;
}  // namespace

bool has_no_effect(const Instruction& i) {
  return isa<GetElementPtrInst>(i) || isa<CastInst>(i) ||
         (isa<BinaryOperator>(i) && !i.isIntDivRem() && i.getType()->isIntegerTy());
}

bool Ahead::add(Value* v, const Instruction* here) {
  auto* i = dyn_cast<Instruction>(v);
  // What another block made and this one uses was there when this one began.
  if (i == nullptr || i->getParent() != here->getParent() || i->comesBefore(here)) return true;
  if (is_contained(steps_, i)) return true;
  if (!has_no_effect(*i) || steps_.size() == kMostSteps) return false;
  for (Value* operand : i->operands()) {
    if (!add(operand, here)) return false;
  }
  steps_.push_back(i);
  return steps_.size() <= kMostSteps;
}

bool Ahead::can(Value* v, const Instruction* here, Ahead& out) {
  out = {};
  out.value_ = v;
  return out.add(v, here);
}

Value* Ahead::make(IRBuilder<>& b) const {
  SmallDenseMap<Value*, Value*> copies;
  for (Instruction* i : steps_) {
    Instruction* copy = i->clone();
    copy->dropPoisonGeneratingFlags();  // the program itself may not come there
    for (Use& operand : copy->operands()) {
      if (Value* c = copies.lookup(operand.get())) operand.set(c);
    }
    b.Insert(copy);
    copies[i] = copy;
  }
  Value* copy = copies.lookup(value_);
  return copy != nullptr ? copy : value_;
}

}  // namespace steward::pass
