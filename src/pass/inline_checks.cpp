#include "pass/inline_checks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace steward::pass {
namespace {

using namespace llvm;

struct Hook {
  unsigned size = 0;  // 0: none that is checked inline
  bool write = false;
};

// Only what is aligned to its size, or to eight bytes, has a hook without "unaligned" in its name.
Hook hook_of(StringRef name) {
  return StringSwitch<Hook>(name)
      .Case("__tsan_read1", {1, false})
      .Case("__tsan_read2", {2, false})
      .Case("__tsan_read4", {4, false})
      .Case("__tsan_read8", {8, false})
      .Case("__tsan_read16", {16, false})
      .Case("__tsan_write1", {1, true})
      .Case("__tsan_write2", {2, true})
      .Case("__tsan_write4", {4, true})
      .Case("__tsan_write8", {8, true})
      .Case("__tsan_write16", {16, true})
      .Default({});
}

// What the runtime offers (runtime/shadow/layout.cpp, runtime/thread/registry.cpp).
GlobalVariable* flip_of(Module& m) {
  auto* i64 = Type::getInt64Ty(m.getContext());
  auto* g = cast<GlobalVariable>(m.getOrInsertGlobal("__steward_flip", i64));
  g->setConstant(true);  // once the runtime has started, which is before any code of the program
  return g;
}
GlobalVariable* word_of(Module& m) {
  auto* i64 = Type::getInt64Ty(m.getContext());
  auto* g = cast<GlobalVariable>(m.getOrInsertGlobal("__steward_word", i64));
  g->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return g;
}

class Emitter {
 public:
  explicit Emitter(Function& f)
      : f_(f), m_(*f.getParent()), i64_(Type::getInt64Ty(f.getContext())) {}

  // The condition under which the hook must be called.
  Value* missed(IRBuilder<>& b, Value* address, const Hook& hook) {
    auto* i32 = Type::getInt32Ty(f_.getContext());
    Value* a = b.CreatePtrToInt(address, i64_);
    LoadInst* flip = b.CreateAlignedLoad(i64_, flip_of(m_), Align(8));
    flip->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(f_.getContext(), {}));
    constexpr std::uint64_t kGranuleShadow =
        0x7ffffffffff0;  // shadow_of in runtime/shadow/layout.h
    Value* shadow = b.CreateXor(b.CreateAnd(b.CreateShl(a, 1), kGranuleShadow), flip);
    Value* word = b.CreateAlignedLoad(i64_, word_of(m_), Align(8));
    if (hook.size >= 8) {
      Value* same = is_same(b, i64_, shadow, word, hook.write);
      if (hook.size == 16) {
        Value* next = b.CreateAdd(shadow, ConstantInt::get(i64_, 16));
        same = b.CreateAnd(same, is_same(b, i64_, next, word, hook.write));
      }
      return b.CreateNot(same);
    }
    Value* half = b.CreateAdd(shadow, b.CreateAnd(a, 4));
    return b.CreateNot(is_same(b, i32, half, b.CreateTrunc(word, i32), hook.write));
  }

 private:
  // The write word shows this epoch, or for a read, the read word, eight bytes on, does.
  Value* is_same(IRBuilder<>& b, Type* part, Value* at, Value* epoch, bool write) {
    Value* same = b.CreateICmpEQ(load(b, part, at), epoch);
    if (write) return same;
    Value* read = load(b, part, b.CreateAdd(at, ConstantInt::get(i64_, 8)));
    return b.CreateOr(same, b.CreateICmpEQ(read, epoch));
  }
  // Others change it: a plain load would let the optimiser believe that they do not.
  Value* load(IRBuilder<>& b, Type* part, Value* at) {
    auto* p = b.CreateIntToPtr(at, PointerType::getUnqual(f_.getContext()));
    LoadInst* l = b.CreateAlignedLoad(part, p, Align(part->getIntegerBitWidth() / 8));
    l->setAtomic(AtomicOrdering::Monotonic);
    return l;
  }

  Function& f_;
  Module& m_;
  Type* i64_;
};

}  // namespace

bool inline_checks(Function& function) {
  SmallVector<std::pair<CallInst*, Hook>, 32> calls;
  for (BasicBlock& block : function) {
    for (Instruction& i : block) {
      auto* call = dyn_cast<CallInst>(&i);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      const Hook hook = hook_of(call->getCalledFunction()->getName());
      if (hook.size != 0) calls.emplace_back(call, hook);
    }
  }
  Emitter emitter(function);
  MDNode* unlikely = MDBuilder(function.getContext()).createBranchWeights(1, 1000);
  for (auto& [call, hook] : calls) {
    IRBuilder<> b(call);
    Value* missed = emitter.missed(b, call->getArgOperand(0), hook);
    Instruction* then = SplitBlockAndInsertIfThen(missed, call->getIterator(), false, unlikely);
    call->moveBefore(then);
  }
  return !calls.empty();
}

}  // namespace steward::pass
