#include "pass/inline_checks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/hooks.h"

namespace steward::pass {
namespace {

using namespace llvm;

// What the runtime offers (runtime/shadow/layout.cpp, runtime/thread/registry.cpp).
GlobalVariable* flip_of(Module& m) {
  auto* i64 = Type::getInt64Ty(m.getContext());
  auto* g = cast<GlobalVariable>(m.getOrInsertGlobal("__steward_flip", i64));
  g->setConstant(true);  // once the runtime has started, which is before any code of the program
  return g;
}
GlobalVariable* word_of(Module& m, const char* name) {
  auto* i64 = Type::getInt64Ty(m.getContext());
  auto* g = cast<GlobalVariable>(m.getOrInsertGlobal(name, i64));
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
    Type* part = hook.size >= 8 ? i64_ : i32;
    const Seen seen{load_word(b, part, "__steward_word"),
                    hook.write ? nullptr : load_word(b, part, "__steward_read_word")};
    if (hook.size >= 8) {
      Value* same = is_same(b, i64_, shadow, seen);
      if (hook.size == 16) {
        Value* next = b.CreateAdd(shadow, ConstantInt::get(i64_, 16));
        same = b.CreateAnd(same, is_same(b, i64_, next, seen));
      }
      return b.CreateNot(same);
    }
    return b.CreateNot(is_same(b, i32, b.CreateAdd(shadow, b.CreateAnd(a, 4)), seen));
  }

 private:
  struct Seen {  // what the words of a granule look like that need not be checked
    Value* write;
    Value* read;  // null: it is a write, and the read word does not matter
  };
  Value* load_word(IRBuilder<>& b, Type* part, const char* name) {
    return b.CreateAlignedLoad(part, word_of(m_, name), Align(8));
  }
  // The write word says so, or for a read, the read word, eight bytes on, does.
  Value* is_same(IRBuilder<>& b, Type* part, Value* at, const Seen& seen) {
    Value* same = b.CreateICmpEQ(load(b, part, at), seen.write);
    if (seen.read == nullptr) return same;
    Value* read = load(b, part, b.CreateAdd(at, ConstantInt::get(i64_, 8)));
    return b.CreateOr(same, b.CreateICmpEQ(read, seen.read));
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
      const Hook hook = hook_of(i);
      if (hook.kind == HookKind::Access) calls.emplace_back(cast<CallInst>(&i), hook);
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
