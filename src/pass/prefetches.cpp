#include "pass/prefetches.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"
#include "pass/shadow_address.h"

namespace steward::pass {

using namespace llvm;

void prefetch_shadow(Function& f) {
  SmallVector<IntrinsicInst*, 8> asked;
  for (BasicBlock& block : f) {
    for (Instruction& i : block) {
      auto* call = dyn_cast<IntrinsicInst>(&i);
      // Data, not instructions.
      if (call != nullptr && call->getIntrinsicID() == Intrinsic::prefetch &&
          !cast<ConstantInt>(call->getArgOperand(3))->isZero()) {
        asked.push_back(call);
      }
    }
  }
  for (IntrinsicInst* call : asked) {
    IRBuilder<> b(call);
    constexpr std::uint64_t kLine = 64;  // of data: two of shadow
    Value* line = b.CreateAnd(b.CreatePtrToInt(call->getArgOperand(0), b.getInt64Ty()),
                              b.getInt64(~(kLine - 1)));
    Value* shadow = shadow_of(b, line);
    for (const std::uint64_t at : {std::uint64_t{0}, kLine}) {
      Value* pointer =
          b.CreateIntToPtr(b.CreateAdd(shadow, b.getInt64(at)), byte_pointer(f.getContext()));
      mark_as_check(*prefetch(b, pointer, true));
    }
  }
}

}  // namespace steward::pass
