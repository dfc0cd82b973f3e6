// After Arnold and Ryder's full duplication (PLDI 2001), with one difference: a place where code
// may change its version exists once. Its values then have one name each, and since every cycle
// passes such a place, the graph stays reducible and the loops stay loops in the eyes of the code
// generator.
#include "pass/versions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "pass/atomics.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"

namespace steward::pass {
namespace {

using namespace llvm;
using Blocks = SmallVector<BasicBlock*, 32>;

// One byte a module (executable or shared library), so that the test is one instruction with its
// address in it. The runtime is told where it is, and sets it (runtime/thread/active.h). It begins
// as 1: checks are on until the runtime says otherwise.
GlobalVariable* active_flag(Module& m) {
  constexpr const char* kName = "__steward_active";
  if (GlobalVariable* g = m.getGlobalVariable(kName, true)) return g;
  auto* i8 = Type::getInt8Ty(m.getContext());
  auto* g = new GlobalVariable(m, i8, false, GlobalValue::LinkOnceODRLinkage,
                               ConstantInt::get(i8, 1), kName);
  g->setVisibility(GlobalValue::HiddenVisibility);
  g->setComdat(m.getOrInsertComdat(kName));
  auto* none = Type::getVoidTy(m.getContext());
  auto* pointer = byte_pointer(m.getContext());
  auto call_at = [&](const char* name, const char* runtime) {
    auto* f =
        Function::Create(FunctionType::get(none, false), GlobalValue::LinkOnceODRLinkage, name, m);
    f->setVisibility(GlobalValue::HiddenVisibility);
    f->setComdat(m.getOrInsertComdat(name));
    f->addFnAttr(Attribute::DisableSanitizerInstrumentation);
    f->addFnAttr(Attribute::NoUnwind);
    IRBuilder<> b(BasicBlock::Create(m.getContext(), "", f));
    b.CreateCall(m.getOrInsertFunction(runtime, none, pointer), {g});
    b.CreateRetVoid();
    return f;
  };
  // In a comdat of its own: the linker keeps one of them a module.
  Function* begin = call_at("__steward_module_begin", "__steward_module_loaded");
  Function* end = call_at("__steward_module_end", "__steward_module_unloaded");
  appendToGlobalCtors(m, begin, 0, begin);
  appendToGlobalDtors(m, end, 0, end);
  return g;
}

// A call after which the version is chosen anew.
bool takes_time(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  return call != nullptr && !call->isMustTailCall() && hook_of(i).kind == HookKind::None &&
         may_change_epoch(i);
}

bool is_stripped(const Instruction& i) {
  const Hook h = hook_of(i);
  return h.is_check() || (h.kind == HookKind::Memory && i.use_empty());
}

bool can_be_versioned(const Function& f) {
  if (is_unsplit_coroutine(f) || f.callsFunctionThatReturnsTwice()) {
    return false;
  }
  for (const BasicBlock& b : f) {
    if (b.hasAddressTaken()) return false;
    if (isa<IndirectBrInst>(b.getTerminator()) || isa<CallBrInst>(b.getTerminator())) return false;
    for (const Instruction& i : b) {
      if (i.getType()->isTokenTy() || isa<FuncletPadInst>(i)) return false;
      if (const auto* call = dyn_cast<CallBase>(&i); call != nullptr && call->cannotDuplicate()) {
        return false;
      }
    }
  }
  return true;
}

// The places where the version is chosen, each the head of a region: after it comes, alone, the
// region's first block.
class Heads {
 public:
  explicit Heads(Function& f) : f_(f) {
    SmallVector<Instruction*, 32> calls;
    SmallVector<InvokeInst*, 8> invokes;
    for (BasicBlock& b : f) {
      for (Instruction& i : b) {
        if (takes_time(i)) calls.push_back(&i);
        if (auto* invoke = dyn_cast<InvokeInst>(&i)) invokes.push_back(invoke);
      }
    }
    for (Instruction* call : calls) add(SplitBlock(call->getParent(), call->getNextNode()));
    for (InvokeInst* invoke : invokes) {
      BasicBlock* next = invoke->getNormalDest();
      add(next->getSinglePredecessor() != nullptr ? next : SplitEdge(invoke->getParent(), next));
      add(invoke->getUnwindDest());
    }
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 16> back_edges;
    FindFunctionBackedges(f, back_edges);
    for (const auto& edge : back_edges) add(const_cast<BasicBlock*>(edge.second));
    add_ends_of_plain_loops();
    add(&f.getEntryBlock());
    for (BasicBlock* head : heads_) split(head);
  }

  const SetVector<BasicBlock*>& all() const { return heads_; }
  bool is_head(BasicBlock* b) const { return heads_.count(b) != 0; }

 private:
  void add(BasicBlock* b) { heads_.insert(b); }

  // A loop without checks has no need of two versions if it is chosen anew behind it.
  void add_ends_of_plain_loops() {
    DominatorTree dom(f_);
    LoopInfo loops(dom);
    for (const Loop* loop : loops.getLoopsInPreorder()) {
      const bool plain = all_of(loop->blocks(), [](const BasicBlock* b) {
        return none_of(*b, [](const Instruction& i) { return is_stripped(i); });
      });
      if (!plain) continue;
      SmallVector<BasicBlock*, 4> ends;
      loop->getUniqueExitBlocks(ends);
      for (BasicBlock* end : ends) add(end);
    }
  }

  // What must come first stays in the head: phis, a landing pad, the function's variables.
  void split(BasicBlock* head) {
    auto at = head->getFirstInsertionPt();
    if (head == &f_.getEntryBlock()) {
      SmallVector<AllocaInst*, 8> later;
      while (isa<AllocaInst>(*at) || isa<DbgInfoIntrinsic>(*at)) ++at;
      for (Instruction& i : make_range(at, head->end())) {
        if (auto* a = dyn_cast<AllocaInst>(&i); a != nullptr && a->isStaticAlloca()) {
          later.push_back(a);
        }
      }
      for (AllocaInst* a : later) a->moveBefore(*head, at);
    }
    split_block(head, at);
  }

  Function& f_;
  SetVector<BasicBlock*> heads_;
};

class Versions {
 public:
  explicit Versions(Function& f) : f_(f), heads_(f) {}

  bool make() {
    for (BasicBlock* head : heads_.all()) {
      if (needs_choice(head)) chosen_.push_back(head);
    }
    if (chosen_.empty()) return false;
    clone();
    choose();
    strip();
    rename();
    return true;
  }

  bool is_clone(BasicBlock* b) const { return clones_.count(b) != 0; }

 private:
  static BasicBlock* first_of(BasicBlock* head) { return head->getSingleSuccessor(); }

  // Is there anything to leave out before the next choice? Notes the region's blocks if so.
  bool needs_choice(BasicBlock* head) {
    SetVector<BasicBlock*> region;
    bool any = false;
    region.insert(first_of(head));
    for (unsigned k = 0; k < region.size(); ++k) {
      for (const Instruction& i : *region[k]) any = any || is_stripped(i);
      for (BasicBlock* next : successors(region[k])) {
        if (!heads_.is_head(next)) region.insert(next);
      }
    }
    if (any) doubled_.insert(region.begin(), region.end());
    return any;
  }

  void clone() {
    for (BasicBlock* b : doubled_) {
      BasicBlock* c = CloneBasicBlock(b, map_, ".checked", &f_);
      map_[b] = c;
      clones_.insert(c);
      for (Instruction& i : *b) {
        if (!i.getType()->isVoidTy() && !is_stripped(i)) {
          twins_.emplace_back(&i, cast<Instruction>(&*map_[&i]));
        }
      }
    }
    for (BasicBlock* c : clones_) {
      for (Instruction& i : *c) {
        remap(i, map_);
      }
    }
    for (BasicBlock* b : doubled_) {
      auto* c = cast<BasicBlock>(&*map_[b]);
      // A checked block is reached from checked blocks, and from a choice.
      for (PHINode& phi : c->phis()) {
        for (unsigned k = phi.getNumIncomingValues(); k-- > 0;) {
          if (!is_clone(phi.getIncomingBlock(k))) phi.removeIncomingValue(k, false);
        }
      }
      // Heads have both versions as predecessors.
      SmallPtrSet<BasicBlock*, 4> done;
      for (BasicBlock* next : successors(b)) {
        if (!heads_.is_head(next) || !done.insert(next).second) continue;
        for (PHINode& phi : next->phis()) {
          const unsigned before = phi.getNumIncomingValues();
          for (unsigned k = 0; k < before; ++k) {
            if (phi.getIncomingBlock(k) == b) phi.addIncoming(mapped(phi.getIncomingValue(k)), c);
          }
        }
      }
    }
  }

  Value* mapped(Value* v) {
    auto found = map_.find(v);
    return found == map_.end() ? v : static_cast<Value*>(found->second);
  }

  // The version without checks. Copies are plain again.
  void strip() {
    for (BasicBlock* b : doubled_) {
      for (Instruction& i : make_early_inc_range(*b)) {
        const Hook h = hook_of(i);
        if (h.is_check()) {
          i.eraseFromParent();
        } else if (is_stripped(i)) {
          make_plain(cast<CallInst>(i));
        }
      }
    }
  }
  static void make_plain(CallInst& call) {
    IRBuilder<> b(&call);
    Value *to = call.getArgOperand(0), *what = call.getArgOperand(1), *n = call.getArgOperand(2);
    const StringRef name = call.getCalledFunction()->getName();
    if (name.contains("memset")) {
      b.CreateMemSet(to, b.CreateTrunc(what, b.getInt8Ty()), n, MaybeAlign());
    } else if (name.contains("memmove")) {
      b.CreateMemMove(to, MaybeAlign(), what, MaybeAlign(), n);
    } else {
      b.CreateMemCpy(to, MaybeAlign(), what, MaybeAlign(), n);
    }
    call.eraseFromParent();
  }

  // A value that is now computed in two places, and used elsewhere, is whichever was computed.
  void rename() {
    SmallVector<Use*, 16> uses;
    for (auto [i, twin] : twins_) {
      uses.clear();
      collect(*i, uses);
      collect(*twin, uses);
      if (uses.empty()) continue;
      SSAUpdater updater;
      updater.Initialize(i->getType(), i->getName());
      updater.AddAvailableValue(i->getParent(), i);
      updater.AddAvailableValue(twin->getParent(), twin);
      for (Use* use : uses) updater.RewriteUse(*use);
    }
  }
  static void collect(Instruction& i, SmallVectorImpl<Use*>& uses) {
    for (Use& use : i.uses()) {
      auto* user = cast<Instruction>(use.getUser());
      const auto* phi = dyn_cast<PHINode>(user);
      if ((phi != nullptr ? phi->getIncomingBlock(use) : user->getParent()) != i.getParent()) {
        uses.push_back(&use);
      }
    }
  }

  void choose() {
    GlobalVariable* flag = active_flag(*f_.getParent());
    MDNode* unlikely = MDBuilder(f_.getContext()).createBranchWeights(1, 1000);
    for (BasicBlock* head : chosen_) {
      BasicBlock* plain = first_of(head);
      Instruction* end = head->getTerminator();
      IRBuilder<> b(end);
      LoadInst* active = b.CreateAlignedLoad(b.getInt8Ty(), flag, Align(1));
      active->setVolatile(true);  // asked at every choice
      // Its other bit is the atomics' alone: the order is followed, and accesses are not checked.
      Value* on = b.CreateICmpNE(b.CreateAnd(active, b.getInt8(1)), b.getInt8(0));
      b.CreateCondBr(on, cast<BasicBlock>(mapped(plain)), plain, unlikely);
      end->eraseFromParent();
    }
  }

  Function& f_;
  Heads heads_;
  Blocks chosen_;
  SetVector<BasicBlock*> doubled_;
  SmallSetVector<BasicBlock*, 32> clones_;
  ValueToValueMapTy map_;
  SmallVector<std::pair<Instruction*, Instruction*>, 64> twins_;
};

}  // namespace

bool may_change_epoch(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  if (call == nullptr) return isa<FenceInst>(i);
  const HookKind hook = hook_of(i).kind;
  if (hook != HookKind::None) return hook == HookKind::Atomic;
  if (isa<IntrinsicInst>(call)) return false;
  if (call->isInlineAsm()) return call->mayHaveSideEffects();
  if (call->doesNotAccessMemory() && call->doesNotThrow()) return false;
  // What only makes a block does neither; what frees one ends the life of its bytes.
  const bool allocates =
      is_allocator(*call) && call->returnDoesNotAlias() &&
      none_of(call->args(), [](const Use& u) { return u->getType()->isPointerTy(); });
  return !allocates;
}

bool make_versions(Function& f) {
  if (!can_be_versioned(f)) return false;
  bool checks = false, atomics = false;
  for (const BasicBlock& b : f) {
    for (const Instruction& i : b) {
      checks = checks || is_stripped(i);
      atomics = atomics || is_plain_atomic(i);
    }
  }
  if (!checks && !atomics) return false;
  Versions versions(f);
  const bool made = checks && versions.make();
  if (atomics) {
    inline_atomics(f, *active_flag(*f.getParent()),
                   [&](BasicBlock* b) { return versions.is_clone(b); });
  }
  return made || atomics;
}

}  // namespace steward::pass
