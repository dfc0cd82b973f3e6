// A loop qualifies if nothing in it but its loads and stores concerns the detector (no call, no
// atomic), it is left at its end only, after a number of rounds that is known when it begins, and
// every checked access is made in every round, at an address that moves by a constant. Then which
// bytes it touches is known beforehand, and no synchronisation can come between: docs/pass.md.
//
// It becomes a loop of stretches around it:
//
//   stretch: done = 0, kStretch, ...      head: the loop as it was
//     check the bytes of the next           latch: leave if it is over;
//     min(kStretch, rounds - done) rounds          else count down: to `head` or `stretch`
//
// so that a walk over much memory is not checked all at once, and code without checks (versions.h)
// can be left and entered between stretches.
//
// A build to be recorded tells of the same stretches, but of every access by itself: a trace has
// them in the order in which the program makes them, round by round.
#include "pass/runs.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "pass/hooks.h"
#include "pass/instructions.h"
#include "pass/llvm_compat.h"

namespace steward::pass {
namespace {

using namespace llvm;

constexpr std::uint64_t kStretch = 1024;  // rounds
constexpr unsigned kFew = 8;              // rounds that are not worth a call
constexpr unsigned kMostWalks = 64;       // that the runtime takes of one loop

struct Walk {
  CallInst* check;
  const SCEV* start;  // of the first round
  std::int64_t step;  // bytes a round
  unsigned size;
  bool write;
};

// Checks of one kind whose addresses differ by a constant, as one walk over elements.
struct Run {
  const SCEV* start;
  std::int64_t step;
  std::uint64_t length;  // bytes in one round, without a gap
  unsigned element;
  bool write;
  CallInst* check;  // one of them: where it is in the source
};

bool concerns_nobody(const Instruction& i) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
    return intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayReadOrWriteMemory();
  }
  const auto* call = dyn_cast<CallBase>(&i);
  if (call != nullptr) return call->doesNotAccessMemory() && call->doesNotThrow();
  return !i.isAtomic() && !isa<FenceInst>(i);
}

class LoopRuns {
 public:
  LoopRuns(Loop& loop, ScalarEvolution& se, DominatorTree& dom) : loop_(loop), se_(se), dom_(dom) {}

  // Null, or why the loop stays as it is; "" if it has no checks, and that is nothing to speak of.
  const char* find_runs() {
    if (const char* why = find_walks()) return why;
    merge();
    for (const Run& run : runs_) starts_.push_back(run.start);
    return cannot_expand();
  }
  const char* find_recorded() {
    if (const char* why = find_walks()) return why;
    if (walks_.size() > kMostWalks) return "it has too many accesses";
    // In the order of the program: blocks that are gone through in every round follow each other.
    llvm::stable_sort(walks_, [&](const Walk& a, const Walk& b) {
      return dom_.properlyDominates(a.check->getParent(), b.check->getParent());
    });
    for (const Walk& walk : walks_) starts_.push_back(walk.start);
    return cannot_expand();
  }
  // Instructions of every round are counted with the stretch: not in their blocks.
  void count_rounds(SmallPtrSetImpl<BasicBlock*>& counted) {
    for (BasicBlock* block : loop_.blocks()) {
      if (!dom_.dominates(block, latch_)) continue;
      instructions_ += instructions_of(*block);
      counted.insert(block);
    }
  }

  unsigned transform_runs() {
    return transform([&](IRBuilder<>& b, ArrayRef<Value*> starts, Value* done, Value* rounds) {
      emit_checks(b, starts, done, rounds);
    });
  }
  unsigned transform_recorded() {
    return transform([&](IRBuilder<>& b, ArrayRef<Value*> starts, Value* done, Value* rounds) {
      emit_walks(b, starts, done, rounds);
    });
  }

  Loop& loop() { return loop_; }

 private:
  const char* find_walks() {
    if (!loop_.isInnermost()) return "";
    latch_ = loop_.getLoopLatch();
    bool any = false;
    for (BasicBlock* block : loop_.blocks()) {
      for (Instruction& i : *block) any = any || hook_of(i).is_check();
    }
    if (!any) return "";
    if (loop_.getLoopPreheader() == nullptr) return "it is entered from several places";
    if (latch_ == nullptr) return "it goes on from several places";
    const auto* end = dyn_cast<BranchInst>(latch_->getTerminator());
    if (loop_.getExitingBlock() != latch_ || end == nullptr || !end->isConditional()) {
      return "it may be left before the end of a round";
    }
    rounds_ = se_.getBackedgeTakenCount(&loop_);
    if (isa<SCEVCouldNotCompute>(rounds_) || rounds_->getType()->getIntegerBitWidth() > 64) {
      return "the number of rounds is not known when it begins";
    }
    const unsigned known = se_.getSmallConstantTripCount(&loop_);
    if (known != 0 && known < kFew) return "it has few rounds";
    for (BasicBlock* block : loop_.blocks()) {
      for (Instruction& i : *block) {
        const Hook hook = hook_of(i);
        if (hook.kind == HookKind::None) {
          if (!concerns_nobody(i)) return "it calls a function, or synchronises";
        } else if (const char* why = note(cast<CallInst>(i), hook)) {
          return why;
        }
      }
    }
    return nullptr;
  }

  const char* cannot_expand() {
    SCEVExpander expander = make_expander(se_, layout());
    Instruction* at = loop_.getLoopPreheader()->getTerminator();
    for (const SCEV* start : starts_) {
      if (!can_expand_at(expander, start, at, se_)) {
        return "an address cannot be computed before it";
      }
    }
    if (!can_expand_at(expander, rounds_, at, se_)) {
      return "the number of rounds cannot be computed before it";
    }
    return nullptr;
  }

  template <class Emit>
  unsigned transform(Emit emit) {
    Function& f = *latch_->getParent();
    LLVMContext& context = f.getContext();
    auto* i64 = Type::getInt64Ty(context);
    BasicBlock* head = loop_.getHeader();
    BasicBlock* before = loop_.getLoopPreheader();
    SCEVExpander expander = make_expander(se_, layout());
    Instruction* at = before->getTerminator();
    SmallVector<Value*, 8> starts;
    for (const SCEV* start : starts_) {
      starts.push_back(expand_at(expander, start, start->getType(), at));
    }
    const SCEV* count = se_.getAddExpr(se_.getNoopOrZeroExtend(rounds_, i64), se_.getOne(i64));
    Value* total = expand_at(expander, count, i64, at);

    BasicBlock* stretch = BasicBlock::Create(context, "stretch", &f, head);
    BasicBlock* next = BasicBlock::Create(context, "stretch.next", &f);
    before->getTerminator()->replaceSuccessorWith(head, stretch);
    latch_->getTerminator()->replaceSuccessorWith(head, next);

    IRBuilder<> b(stretch);
    PHINode* done = b.CreatePHI(i64, 2, "stretch.done");
    for (PHINode& phi : head->phis()) {
      PHINode* outer = b.CreatePHI(phi.getType(), 2);
      outer->addIncoming(phi.getIncomingValueForBlock(before), before);
      outer->addIncoming(phi.getIncomingValueForBlock(latch_), next);
      phi.setIncomingValue(phi.getBasicBlockIndex(before), outer);
      phi.replaceIncomingBlockWith(before, stretch);
      phi.replaceIncomingBlockWith(latch_, next);
    }
    IRBuilder<> h(head, head->begin());
    PHINode* left = h.CreatePHI(i64, 2, "stretch.left");
    Value* size = ConstantInt::get(i64, kStretch);
    Value* rest = b.CreateSub(total, done);
    Value* rounds = b.CreateSelect(b.CreateICmpULT(rest, size), rest, size);
    emit(b, starts, done, rounds);
    b.CreateBr(head);

    IRBuilder<> n(next);
    Value* less = n.CreateSub(left, ConstantInt::get(i64, 1));
    n.CreateCondBr(n.CreateICmpEQ(less, ConstantInt::get(i64, 0)), stretch, head);
    done->addIncoming(ConstantInt::get(i64, 0), before);
    done->addIncoming(n.getInt64(0), next);  // set below, before the branch
    IRBuilder<> m(next->getTerminator());
    done->setIncomingValueForBlock(next, m.CreateAdd(done, size));
    left->addIncoming(size, stretch);
    left->addIncoming(less, next);
    for (const Walk& walk : walks_) walk.check->eraseFromParent();
    return static_cast<unsigned>(walks_.size());
  }

  const DataLayout& layout() const { return latch_->getModule()->getDataLayout(); }

  const char* note(CallInst& check, const Hook& hook) {
    if (hook.size == 0) return "it has an access of a kind that is not checked by runs";
    if (!dom_.dominates(check.getParent(), latch_)) return "an access is not made in every round";
    const SCEV* address = se_.getSCEV(check.getArgOperand(0));
    std::int64_t step = 0;
    const SCEV* start = address;
    const auto* moves = dyn_cast<SCEVAddRecExpr>(address);
    if (moves != nullptr && moves->getLoop() == &loop_) {
      const SCEV* by = moves->isAffine() ? moves->getStepRecurrence(se_) : nullptr;
      const auto* constant = dyn_cast_or_null<SCEVConstant>(by);
      if (constant == nullptr || signed_bits(constant->getAPInt()) > 16) {
        return "an address moves by steps that are not known";
      }
      step = constant->getAPInt().getSExtValue();
      start = moves->getStart();
    }
    if (!se_.isLoopInvariant(start, &loop_)) return "an address depends on what is read in it";
    walks_.push_back({&check, start, step, hook.size, hook.write});
    return nullptr;
  }

  // Neighbours become one run: elements of a struct, a loop unrolled, a stencil's overlapping
  // reads.
  void merge() {
    SmallVector<bool, 16> taken(walks_.size(), false);
    for (unsigned i = 0; i < walks_.size(); ++i) {
      if (taken[i]) continue;
      const Walk& w = walks_[i];
      struct Part {
        std::int64_t at;
        unsigned size;
      };
      SmallVector<Part, 8> parts;
      for (unsigned k = i; k < walks_.size(); ++k) {
        const Walk& o = walks_[k];
        if (taken[k] || o.write != w.write || o.step != w.step) continue;
        const auto* apart = dyn_cast<SCEVConstant>(se_.getMinusSCEV(o.start, w.start));
        if (apart == nullptr || signed_bits(apart->getAPInt()) > 16) continue;
        parts.push_back({apart->getAPInt().getSExtValue(), o.size});
        taken[k] = true;
      }
      llvm::sort(parts, [](const Part& a, const Part& b) { return a.at < b.at; });
      for (unsigned k = 0; k < parts.size();) {
        std::int64_t end = parts[k].at + parts[k].size;
        unsigned element = parts[k].size, e = k + 1;
        for (; e < parts.size() && parts[e].at <= end; ++e) {
          end = std::max(end, parts[e].at + static_cast<std::int64_t>(parts[e].size));
          element = std::min(element, parts[e].size);
        }
        const SCEV* offset = se_.getConstant(Type::getInt64Ty(w.check->getContext()),
                                             static_cast<std::uint64_t>(parts[k].at), true);
        runs_.push_back({se_.getAddExpr(w.start, offset), w.step,
                         static_cast<std::uint64_t>(end - parts[k].at), element, w.write, w.check});
        k = e;
      }
    }
  }

  // Without a gap from round to round it is one range; else a walk, element by element.
  void emit_checks(IRBuilder<>& b, ArrayRef<Value*> starts, Value* done, Value* rounds) {
    auto* i64 = b.getInt64Ty();
    for (unsigned i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      b.SetCurrentDebugLocation(run.check->getDebugLoc());
      const auto step = static_cast<std::uint64_t>(run.step);
      const std::uint64_t width = static_cast<std::uint64_t>(run.step < 0 ? -run.step : run.step);
      Value* first = b.CreatePtrToInt(starts[i], i64);
      first = b.CreateAdd(first, b.CreateMul(done, b.getInt64(step)));
      if (run.step < 0) {  // from the lowest on
        Value* last = b.CreateMul(b.CreateSub(rounds, b.getInt64(1)), b.getInt64(step));
        first = b.CreateAdd(first, last);
      }
      const bool dense = run.length >= width;
      Value* bytes = b.getInt64(run.length);
      if (dense && run.step != 0) {
        bytes =
            b.CreateAdd(b.CreateMul(b.CreateSub(rounds, b.getInt64(1)), b.getInt64(width)), bytes);
      }
      Value* count = dense ? b.getInt64(1) : rounds;
      add_run_check(b, run.write, first, bytes, count, width, run.element);
    }
  }

  // The accesses of one round, and where the first of them are; then how often.
  void emit_walks(IRBuilder<>& b, ArrayRef<Value*> starts, Value* done, Value* rounds) {
    Module& m = *latch_->getModule();
    auto* i64 = b.getInt64Ty();
    for (unsigned i = 0; i < walks_.size(); ++i) {
      const Walk& walk = walks_[i];
      b.SetCurrentDebugLocation(walk.check->getDebugLoc());
      Value* step = b.getInt64(static_cast<std::uint64_t>(walk.step));
      Value* first = b.CreatePtrToInt(starts[i], i64);
      first = b.CreateAdd(first, b.CreateMul(done, step));
      auto hook = m.getOrInsertFunction(walk.write ? "__steward_write_walk" : "__steward_read_walk",
                                        b.getVoidTy(), i64, i64, i64, i64);
      b.CreateCall(hook, {first, step, b.getInt64(walk.size), rounds});
    }
    auto hook = m.getOrInsertFunction("__steward_loop", b.getVoidTy(), i64, i64, i64);
    b.CreateCall(hook, {rounds, b.getInt64(walks_.size()), b.getInt64(instructions_)});
  }

  Loop& loop_;
  ScalarEvolution& se_;
  DominatorTree& dom_;
  BasicBlock* latch_ = nullptr;
  const SCEV* rounds_ = nullptr;
  SmallVector<Walk, 16> walks_;
  SmallVector<Run, 8> runs_;
  SmallVector<const SCEV*, 16> starts_;  // of the runs or walks
  std::uint64_t instructions_ = 0;       // a round
};

// `find` and `transform` are LoopRuns' own; `between` is called when all are found and none is
// changed yet.
template <class Between>
RunCounts each_run(Function& f, FunctionAnalysisManager& analyses, const char* (LoopRuns::*find)(),
                   unsigned (LoopRuns::*transform)(), Between between) {
  RunCounts counts;
  SmallVector<LoopRuns, 8> found;
  if (f.hasOptNone() || analyses.getResult<LoopAnalysis>(f).empty()) {
    between(found);
    return counts;
  }
  auto& info = analyses.getResult<LoopAnalysis>(f);
  auto& dom = analyses.getResult<DominatorTreeAnalysis>(f);
  {
    auto& se = analyses.getResult<ScalarEvolutionAnalysis>(f);
    auto& assumptions = analyses.getResult<AssumptionAnalysis>(f);
    // Earlier passes have merged the blocks before loops into what comes before.
    for (Loop* loop : info) simplifyLoop(loop, &dom, &info, &se, &assumptions, nullptr, false);
  }
  auto& se = analyses.getResult<ScalarEvolutionAnalysis>(f);
  const SmallVector<Loop*, 4> loops = info.getLoopsInPreorder();
  auto& remarks = analyses.getResult<OptimizationRemarkEmitterAnalysis>(f);
  // Found for all before any is changed, since the analyses do not know what is changed: an
  // innermost loop's own start and count do not depend on another's insides.
  for (Loop* loop : loops) {
    LoopRuns runs(*loop, se, dom);
    const char* why = (runs.*find)();
    if (why == nullptr) {
      found.push_back(std::move(runs));
    } else if (*why != '\0') {
      remarks.emit([&] {
        return OptimizationRemarkMissed("steward", "NotARun", loop->getStartLoc(),
                                        loop->getHeader())
               << "checks stay in the loop: " << why;
      });
    }
  }
  between(found);
  for (LoopRuns& runs : found) {
    const DebugLoc where = runs.loop().getStartLoc();
    BasicBlock* head = runs.loop().getHeader();
    const unsigned checks = (runs.*transform)();
    remarks.emit([&] {
      return OptimizationRemark("steward", "Run", where, head)
             << ore::NV("Checks", checks) << " checks left the loop: stretches are checked at once";
    });
    ++counts.loops;
    counts.checks += checks;
  }
  analyses.invalidate(f, PreservedAnalyses::none());
  return counts;
}

}  // namespace

void add_run_check(IRBuilder<>& b, bool write, Value* first, Value* bytes, Value* count,
                   std::uint64_t stride, unsigned element) {
  auto* i64 = b.getInt64Ty();
  Module& m = *b.GetInsertBlock()->getModule();
  auto hook = m.getOrInsertFunction(write ? "__steward_write_run" : "__steward_read_run",
                                    b.getVoidTy(), i64, i64, i64, i64, i64);
  b.CreateCall(hook, {first, bytes, count, b.getInt64(stride), b.getInt64(element)});
}

RunCounts check_runs(Function& f, FunctionAnalysisManager& analyses) {
  return each_run(f, analyses, &LoopRuns::find_runs, &LoopRuns::transform_runs,
                  [](SmallVectorImpl<LoopRuns>&) {});
}

RunCounts record_runs(Function& f, FunctionAnalysisManager& analyses) {
  const auto count = [&f](SmallVectorImpl<LoopRuns>& found) {
    SmallPtrSet<BasicBlock*, 16> counted;
    for (LoopRuns& runs : found) runs.count_rounds(counted);
    for (BasicBlock& block : f) {
      if (!counted.contains(&block)) count_instructions(block);
    }
  };
  return each_run(f, analyses, &LoopRuns::find_recorded, &LoopRuns::transform_recorded, count);
}

}  // namespace steward::pass
