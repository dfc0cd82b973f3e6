// Between two places at which a thread may synchronise, it does not matter when in between a byte
// is checked, nor with which others (docs/pass.md). A report names one place for all, so only
// checks of one line are joined.
#include "pass/unrolled.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"
#include "pass/runs.h"
#include "pass/versions.h"

namespace steward::pass {
namespace {

using namespace llvm;

constexpr std::size_t kFew = 8;  // checks that are not worth a call

struct Check {
  Value* base;
  const void* scope;
  unsigned line, size;
  bool write;
  std::int64_t offset;
  unsigned number;  // in the program's order
  CallInst* call;

  auto kind() const { return std::tie(base, scope, line, size, write); }
  bool operator<(const Check& o) const {
    return std::tuple(kind(), offset, number) < std::tuple(o.kind(), o.offset, o.number);
  }
  bool follows(const Check& o) const { return kind() == o.kind() && offset == o.offset + size; }
};

Check check_of(CallInst& call, const Hook& hook, unsigned number) {
  APInt offset(64, 0);
  Value* base = call.getArgOperand(0)->stripAndAccumulateConstantOffsets(
      call.getModule()->getDataLayout(), offset, true);
  const DILocation* where = call.getDebugLoc().get();
  return {base,
          where == nullptr ? nullptr : where->getScope()->getSubprogram(),
          where == nullptr ? 0 : where->getLine(),
          hook.size,
          hook.write,
          offset.getSExtValue(),
          number,
          &call};
}

unsigned join(SmallVectorImpl<Check>& checks) {
  unsigned gone = 0;
  std::sort(checks.begin(), checks.end());
  for (std::size_t i = 0, end; i < checks.size(); i = end) {
    for (end = i + 1; end < checks.size() && checks[end].follows(checks[end - 1]);) ++end;
    if (end - i < kFew) continue;
    const Check& low = checks[i];
    const Check& first =
        *std::min_element(&checks[i], &checks[i] + (end - i),
                          [](const Check& a, const Check& b) { return a.number < b.number; });
    IRBuilder<> b(first.call);
    Value* address = b.CreatePtrToInt(byte_address(b, low.base, low.offset), b.getInt64Ty());
    add_run_check(b, low.write, address, b.getInt64((end - i) * low.size), b.getInt64(1), 0,
                  low.size);
    for (std::size_t k = i; k < end; ++k) checks[k].call->eraseFromParent();
    gone += static_cast<unsigned>(end - i) - 1;
  }
  checks.clear();
  return gone;
}

}  // namespace

unsigned join_unrolled(Function& function) {
  unsigned gone = 0, number = 0;
  SmallVector<Check, 32> checks;
  for (BasicBlock& block : function) {
    for (Instruction& i : make_early_inc_range(block)) {
      const Hook hook = hook_of(i);
      if (hook.kind == HookKind::Access) {
        checks.push_back(check_of(cast<CallInst>(i), hook, number++));
      } else if (may_change_epoch(i)) {
        gone += join(checks);
      }
    }
    gone += join(checks);
  }
  return gone;
}

}  // namespace steward::pass
