#include "pass/atomics.h"

#include <optional>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/llvm_compat.h"

namespace steward::pass {
namespace {

using namespace llvm;

enum class What { Load, Store, Modify, CompareExchange };

struct Operation {
  What what;
  AtomicRMWInst::BinOp modify;
  unsigned bytes;
  int order;    // as the C ABI numbers them
  int failure;  // of a compare-exchange
};

constexpr AtomicOrdering kOrders[] = {
    AtomicOrdering::Monotonic,      AtomicOrdering::Acquire,
    AtomicOrdering::Acquire,        AtomicOrdering::Release,
    AtomicOrdering::AcquireRelease, AtomicOrdering::SequentiallyConsistent};

std::optional<int> order_at(const CallInst& call, unsigned operand) {
  const auto* c = dyn_cast<ConstantInt>(call.getArgOperand(operand));
  if (c == nullptr || c->getZExtValue() >= std::size(kOrders)) return std::nullopt;
  return static_cast<int>(c->getZExtValue());
}

// __tsan_atomic{8,16,32,64}_{load,store,exchange,fetch_...,compare_exchange_val}
std::optional<Operation> operation_of(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr) return std::nullopt;
  StringRef name = callee->getName();
  unsigned bits = 0;
  if (!name.consume_front("__tsan_atomic") || name.consumeInteger(10, bits) || bits > 64 ||
      !name.consume_front("_")) {
    return std::nullopt;
  }
  Operation o{What::Modify, AtomicRMWInst::BAD_BINOP, bits / 8, 0, 0};
  o.modify = StringSwitch<AtomicRMWInst::BinOp>(name)
                 .Case("exchange", AtomicRMWInst::Xchg)
                 .Case("fetch_add", AtomicRMWInst::Add)
                 .Case("fetch_sub", AtomicRMWInst::Sub)
                 .Case("fetch_and", AtomicRMWInst::And)
                 .Case("fetch_or", AtomicRMWInst::Or)
                 .Case("fetch_xor", AtomicRMWInst::Xor)
                 .Case("fetch_nand", AtomicRMWInst::Nand)
                 .Default(AtomicRMWInst::BAD_BINOP);
  if (o.modify == AtomicRMWInst::BAD_BINOP) {
    if (name == "load") {
      o.what = What::Load;
    } else if (name == "store") {
      o.what = What::Store;
    } else if (name == "compare_exchange_val") {
      o.what = What::CompareExchange;
    } else {
      return std::nullopt;
    }
  }
  const unsigned at = o.what == What::Load ? 1 : o.what == What::CompareExchange ? 3 : 2;
  const auto order = order_at(*call, at);
  const auto failure = o.what == What::CompareExchange ? order_at(*call, at + 1) : order;
  if (!order || !failure) return std::nullopt;
  o.order = *order;
  o.failure = *failure;
  return o;
}

// A load has no order that releases, a store none that acquires.
AtomicOrdering order_for(What what, int order) {
  const AtomicOrdering o = kOrders[order];
  if (o != AtomicOrdering::AcquireRelease &&
      o != (what == What::Load ? AtomicOrdering::Release : AtomicOrdering::Acquire)) {
    return o;
  }
  if (what == What::Load) {
    return o == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire
                                               : AtomicOrdering::Monotonic;
  }
  if (what == What::Store) {
    return o == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release
                                               : AtomicOrdering::Monotonic;
  }
  return o;
}

struct Done {
  Value* result;  // null: a store
  Value* wrote;   // i1
  Value* order;   // i32
};

Done operate(IRBuilder<>& b, const CallInst& call, const Operation& o) {
  Value* p = call.getArgOperand(0);
  const Align align(o.bytes);
  Value* order = b.getInt32(static_cast<std::uint32_t>(o.order));
  switch (o.what) {
    case What::Load: {
      LoadInst* load = b.CreateAlignedLoad(call.getType(), p, align);
      load->setAtomic(order_for(o.what, o.order));
      return {load, b.getFalse(), order};
    }
    case What::Store: {
      StoreInst* store = b.CreateAlignedStore(call.getArgOperand(1), p, align);
      store->setAtomic(order_for(o.what, o.order));
      return {nullptr, b.getTrue(), order};
    }
    case What::Modify:
      return {b.CreateAtomicRMW(o.modify, p, call.getArgOperand(1), align, kOrders[o.order]),
              b.getTrue(), order};
    case What::CompareExchange: {
      Value* pair = b.CreateAtomicCmpXchg(p, call.getArgOperand(1), call.getArgOperand(2), align,
                                          kOrders[o.order], order_for(What::Load, o.failure));
      Value* wrote = b.CreateExtractValue(pair, 1);
      Value* failure = b.getInt32(static_cast<std::uint32_t>(o.failure));
      return {b.CreateExtractValue(pair, 0), wrote, b.CreateSelect(wrote, order, failure)};
    }
  }
  llvm_unreachable("no such operation");
}

Value* is_active(IRBuilder<>& b, GlobalVariable& flag) {
  LoadInst* active = b.CreateAlignedLoad(b.getInt8Ty(), &flag, Align(1));
  active->setVolatile(true);  // asked each time
  return b.CreateICmpNE(active, b.getInt8(0));
}

// What the runtime counts at its hooks (runtime/sample/period.h).
void count(IRBuilder<>& b, Module& m) {
  auto* g = cast<GlobalVariable>(m.getOrInsertGlobal("__steward_work", b.getInt64Ty()));
  g->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  b.CreateAlignedStore(b.CreateAdd(b.CreateAlignedLoad(b.getInt64Ty(), g, Align(8)), b.getInt64(1)),
                       g, Align(8));
}

void rewrite(CallInst* call, const Operation& o, GlobalVariable& flag) {
  Module& m = *call->getModule();
  LLVMContext& context = m.getContext();
  MDNode* unlikely = MDBuilder(context).createBranchWeights(1, 1000);
  BasicBlock* before = call->getParent();
  split_block(before, call->getIterator());
  BasicBlock* hooked = call->getParent();
  split_block(hooked, std::next(call->getIterator()));
  BasicBlock* after = hooked->getSingleSuccessor();
  BasicBlock* raw = BasicBlock::Create(context, "", before->getParent(), hooked);
  BasicBlock* late = BasicBlock::Create(context, "", before->getParent(), after);

  IRBuilder<> b(before->getTerminator());
  b.SetCurrentDebugLocation(call->getDebugLoc());
  b.CreateCondBr(is_active(b, flag), hooked, raw, unlikely);
  before->getTerminator()->eraseFromParent();

  b.SetInsertPoint(raw);
  const Done done = operate(b, *call, o);
  count(b, m);
  b.CreateCondBr(is_active(b, flag), late, after, unlikely);

  b.SetInsertPoint(late);
  const unsigned reads = o.what == What::Store ? 0 : 256;
  Value* what = b.CreateOr(b.CreateShl(b.CreateZExt(done.wrote, b.getInt32Ty()), 9),
                           b.getInt32(o.bytes | reads));
  b.CreateCall(
      m.getOrInsertFunction("__steward_atomic_done", b.getVoidTy(), byte_pointer(context),
                            b.getInt32Ty(), b.getInt32Ty()),
      {b.CreatePointerCast(call->getArgOperand(0), byte_pointer(context)), what, done.order});
  b.CreateBr(after);

  if (done.result == nullptr) return;
  b.SetInsertPoint(after, after->begin());
  PHINode* value = b.CreatePHI(call->getType(), 3);
  call->replaceAllUsesWith(value);
  value->addIncoming(done.result, raw);
  value->addIncoming(done.result, late);
  value->addIncoming(call, hooked);
}

}  // namespace

bool is_plain_atomic(const Instruction& i) {
  return operation_of(i).has_value();
}

unsigned inline_atomics(Function& f, GlobalVariable& active_flag,
                        function_ref<bool(BasicBlock*)> is_checked) {
  SmallVector<CallInst*, 16> calls;
  for (BasicBlock& b : f) {
    if (is_checked(&b)) continue;
    for (Instruction& i : b) {
      if (is_plain_atomic(i)) calls.push_back(cast<CallInst>(&i));
    }
  }
  for (CallInst* call : calls) rewrite(call, *operation_of(*call), active_flag);
  return static_cast<unsigned>(calls.size());
}

}  // namespace steward::pass
