#include "pass/next_round.h"

#include <map>

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "pass/ahead.h"

namespace steward::pass {

using namespace llvm;

namespace {
constexpr std::size_t kMostSteps = 12;
}

bool NextRound::knows(const Value* v, bool next) const {
  return any_of(steps_, [&](const Step& s) { return s.value == v && s.next == next; });
}

bool NextRound::add_select(SelectInst* s) {
  const std::size_t before = steps_.size();
  if (add(s->getCondition(), false)) return false;  // known: the program is that far already
  steps_.truncate(before);
  if (choice_ != nullptr && choice_ != s->getCondition()) return false;
  choice_ = s->getCondition();
  return add(s->getTrueValue(), false) && add(s->getFalseValue(), false);
}

bool NextRound::add(Value* v, bool next) {
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr) return true;
  if (!next && (i->getParent() != block_ || i->comesBefore(here_))) return true;
  if (knows(i, next)) return true;
  auto* phi = dyn_cast<PHINode>(i);
  if (next && phi != nullptr && phi->getParent() == header_) {
    if (!add(phi->getIncomingValueForBlock(block_), false)) return false;
  } else if (i->getParent() != block_) {
    return next && i->getParent() != header_;  // the round leaves it as it is
  } else if (auto* select = dyn_cast<SelectInst>(i); select != nullptr && !next) {
    if (!add_select(select)) return false;
  } else {
    if (!has_no_effect(*i)) return false;
    for (Value* operand : i->operands()) {
      if (!add(operand, next)) return false;
    }
  }
  if (steps_.size() == kMostSteps) return false;
  steps_.push_back({i, next});
  return true;
}

std::optional<NextRound> NextRound::of(Value* v, const Instruction* here) {
  NextRound round;
  round.value_ = v;
  round.here_ = here;
  round.block_ = const_cast<BasicBlock*>(here->getParent());
  for (const BasicBlock* s : successors(round.block_)) {
    const bool is_loop = s == round.block_ || is_contained(successors(s), round.block_);
    if (is_loop && !s->phis().empty()) round.header_ = s;
  }
  if (round.header_ == nullptr || !round.add(v, true) || round.choice_ == nullptr) {
    return std::nullopt;
  }
  for (const Step& s : round.steps_) {  // the block will be split, and its edges have other names
    if (auto* phi = dyn_cast<PHINode>(s.value)) {
      round.given_.push_back({phi, phi->getIncomingValueForBlock(round.block_)});
    }
  }
  return round;
}

Value* NextRound::make(IRBuilder<>& b, bool first) const {
  std::map<std::pair<Value*, bool>, Value*> made;
  const auto get = [&](Value* v, bool next) {
    auto known = made.find({v, next});
    return known == made.end() ? v : known->second;
  };
  for (const Step& s : steps_) {
    Value* out = nullptr;
    if (isa<PHINode>(s.value)) {
      const auto* given = find_if(given_, [&](const auto& g) { return g.first == s.value; });
      out = get(given->second, false);
    } else if (auto* select = dyn_cast<SelectInst>(s.value)) {
      out = get(first ? select->getTrueValue() : select->getFalseValue(), false);
    } else {
      Instruction* copy = s.value->clone();
      copy->dropPoisonGeneratingFlags();  // the program itself may not come there
      for (Use& operand : copy->operands()) operand.set(get(operand.get(), s.next));
      b.Insert(copy);
      out = copy;
    }
    made[{s.value, s.next}] = out;
  }
  return get(value_, true);
}

}  // namespace steward::pass
