// Within code that neither synchronises nor calls, a thread's epoch stands still: of two checks of
// the same bytes there, the stronger stands for both (docs/pass.md). The places where code may
// change its version (versions.h) bound it too: loops are entered anew at each round.
#include "pass/redundant.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "pass/hooks.h"
#include "pass/versions.h"

namespace steward::pass {
namespace {

using namespace llvm;

// What a check is of. Bytes of one address only: other names for it are other facts.
struct Fact {
  const Value* address;
  unsigned size;
  bool write;
  bool stands_for(const Fact& o) const {
    return address == o.address && size >= o.size && (write || !o.write);
  }
};

bool is_plain_check(const Instruction& i) {
  const Hook h = hook_of(i);
  return h.is_access() && h.size != 0;
}
Fact fact_of(const Instruction& i) {
  const Hook h = hook_of(i);
  return {cast<CallInst>(i).getArgOperand(0)->stripPointerCasts(), h.size, h.write};
}

// Both directions are one: which facts hold on every way, from the last boundary or to the next.
class Flow {
 public:
  Flow(Function& f, bool forward) : f_(f), forward_(forward) {
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 16> back_edges;
    FindFunctionBackedges(f, back_edges);
    for (const auto& edge : back_edges) boundaries_.insert(edge.second);
    for (const BasicBlock& b : f) {
      if (b.isEHPad()) boundaries_.insert(&b);
      for (const Instruction& i : b) {
        if (is_plain_check(i)) number(fact_of(i));
      }
    }
  }

  unsigned remove() {
    if (facts_.size() < 2) return 0;
    SmallVector<BasicBlock*, 32> order;
    for (BasicBlock* b : ReversePostOrderTraversal<Function*>(&f_)) order.push_back(b);
    if (!forward_) std::reverse(order.begin(), order.end());
    // Cycles pass a boundary, so one pass over the blocks is enough.
    SmallVector<Instruction*, 16> redundant;
    for (BasicBlock* b : order) {
      SmallBitVector holds = entering(*b);
      auto step = [&](Instruction& i) {
        if (may_change_epoch(i)) {
          holds.reset();
        } else if (is_plain_check(i)) {
          const Fact fact = fact_of(i);
          if (holds.test(numbers_[key(fact)])) {
            redundant.push_back(&i);
          } else {
            add(holds, fact);
          }
        }
      };
      if (forward_) {
        for (Instruction& i : *b) step(i);
      } else {
        for (Instruction& i : llvm::reverse(*b)) step(i);
      }
      leaving_[b] = holds;
    }
    for (Instruction* i : redundant) i->eraseFromParent();
    return static_cast<unsigned>(redundant.size());
  }

 private:
  using Key = std::pair<const Value*, unsigned>;
  static Key key(const Fact& f) { return {f.address, f.size * 2 + (f.write ? 1 : 0)}; }

  void number(const Fact& f) {
    if (numbers_.try_emplace(key(f), static_cast<unsigned>(facts_.size())).second) {
      facts_.push_back(f);
      by_address_[f.address].push_back(static_cast<unsigned>(facts_.size() - 1));
    }
  }
  void add(SmallBitVector& holds, const Fact& f) {
    for (unsigned k : by_address_[f.address]) {
      if (f.stands_for(facts_[k])) holds.set(k);
    }
  }

  SmallBitVector entering(BasicBlock& b) {
    SmallBitVector all(static_cast<unsigned>(facts_.size()));
    if (forward_ && boundaries_.contains(&b)) return all;
    bool first = true;
    auto meet = [&](BasicBlock* other) {
      auto known = leaving_.find(other);
      const bool cut = known == leaving_.end() || (!forward_ && boundaries_.contains(other));
      if (cut) {
        all.reset();
      } else if (first) {
        all = known->second;
      } else {
        all &= known->second;
      }
      first = false;
      return !cut;
    };
    if (forward_) {
      for (BasicBlock* p : predecessors(&b)) {
        if (!meet(p)) return all;
      }
    } else {
      for (BasicBlock* s : successors(&b)) {
        if (!meet(s)) return all;
      }
    }
    return all;
  }

  Function& f_;
  bool forward_;
  SmallPtrSet<const BasicBlock*, 16> boundaries_;
  SmallVector<Fact, 32> facts_;
  DenseMap<Key, unsigned> numbers_;
  DenseMap<const Value*, SmallVector<unsigned, 4>> by_address_;
  DenseMap<BasicBlock*, SmallBitVector> leaving_;
};

}  // namespace

RedundantCounts remove_redundant(Function& f) {
  RedundantCounts counts;
  if (f.hasOptNone()) return counts;
  counts.repeated = Flow(f, true).remove();
  counts.announced = Flow(f, false).remove();
  return counts;
}

}  // namespace steward::pass
