#include "pass/instructions.h"

#include <cstdlib>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"

namespace steward::pass {

using namespace llvm;

// Those that become code of the program's own. An access is an event of its own, so it is not
// counted: each hook of one takes it away again.
unsigned instructions_of(const BasicBlock& block) {
  unsigned count = 0, accesses = 0;
  for (const Instruction& i : block) {
    const Hook hook = hook_of(i);
    if (hook.is_access()) ++accesses;
    if (hook.kind != HookKind::None || isa<PHINode>(i) || isa<AllocaInst>(i) ||
        i.isDebugOrPseudoInst() || i.isLifetimeStartOrEnd()) {
      continue;
    }
    ++count;
  }
  return count > accesses ? count - accesses : 0;
}

namespace {

Instruction* place_in(BasicBlock& block) {
  auto at = block.getFirstInsertionPt();
  while (at != block.end() && (isa<AllocaInst>(*at) || at->isDebugOrPseudoInst())) ++at;
  return at == block.end() ? nullptr : &*at;
}

}  // namespace

bool counts_wanted() {
  const char* wanted = std::getenv("STEWARD_COUNT_INSTRUCTIONS");
  return wanted != nullptr && *wanted == '1';
}

void count_instructions(BasicBlock& block) {
  const unsigned count = instructions_of(block);
  Instruction* at = count == 0 ? nullptr : place_in(block);
  if (at == nullptr) return;
  Module& m = *block.getModule();
  auto* i64 = Type::getInt64Ty(m.getContext());
  auto* counter = cast<GlobalVariable>(m.getOrInsertGlobal("__steward_instructions", i64));
  counter->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  IRBuilder<> b(at);
  Value* before = b.CreateAlignedLoad(i64, counter, Align(8));
  b.CreateAlignedStore(b.CreateAdd(before, ConstantInt::get(i64, count)), counter, Align(8));
}

}  // namespace steward::pass
