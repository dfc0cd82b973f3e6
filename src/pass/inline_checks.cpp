#include "pass/inline_checks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"
#include "pass/versions.h"

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
    return load_as(b, part, word_of(m_, name), Align(8));
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
    auto* p = b.CreateIntToPtr(at, pointer_to(part));
    LoadInst* l = b.CreateAlignedLoad(part, p, Align(part->getIntegerBitWidth() / 8));
    l->setAtomic(AtomicOrdering::Monotonic);
    return l;
  }

  Function& f_;
  Module& m_;
  Type* i64_;
};

// Calls of hooks that one inline check decides about: of one access, or of neighbours that together
// are aligned to their size. If it fails each is called, so that reports are the same.
struct Group {
  Value* base = nullptr;  // of the lowest address
  std::int64_t offset = 0;
  unsigned size = 0;
  bool write = false;
  SmallVector<CallInst*, 4> calls;  // in the program's order
};

SmallVector<Group, 16> groups_of(BasicBlock& block) {
  const DataLayout& layout = block.getModule()->getDataLayout();
  SmallVector<Group, 16> done;
  SmallVector<Group, 16> open;
  auto close = [&] {
    for (Group& g : open) done.push_back(std::move(g));
    open.clear();
  };
  // The neighbour that completes `g`, if it is there.
  auto partner = [&](const Group& g) -> Group* {
    for (Group& o : open) {
      if (o.base != g.base || o.write != g.write || o.size != g.size || g.size > 8) continue;
      const std::int64_t low = std::min(o.offset, g.offset);
      if (std::max(o.offset, g.offset) - low != g.size) continue;
      const std::uint64_t base = getKnownAlignment(g.base, layout, o.calls[0]).value();
      const std::uint64_t wanted = std::min(2 * g.size, 8u);
      if (base >= wanted && static_cast<std::uint64_t>(low) % wanted == 0) return &o;
    }
    return nullptr;
  };
  for (Instruction& i : block) {
    if (may_change_epoch(i)) close();
    const Hook hook = hook_of(i);
    if (hook.kind != HookKind::Access) continue;
    auto* call = cast<CallInst>(&i);
    APInt offset(64, 0);
    Group g;
    g.base = call->getArgOperand(0)->stripAndAccumulateConstantOffsets(layout, offset, true);
    g.offset = offset.getSExtValue();
    g.size = hook.size;
    g.write = hook.write;
    g.calls.push_back(call);
    while (Group* o = partner(g)) {
      g.offset = std::min(g.offset, o->offset);
      g.size *= 2;
      g.calls.insert(g.calls.begin(), o->calls.begin(), o->calls.end());
      open.erase(o);
    }
    open.push_back(std::move(g));
  }
  close();
  return done;
}

}  // namespace

unsigned inline_checks(Function& function) {
  SmallVector<Group, 32> groups;
  for (BasicBlock& block : function) {
    for (Group& g : groups_of(block)) groups.push_back(std::move(g));
  }
  Emitter emitter(function);
  MDNode* unlikely = MDBuilder(function.getContext()).createBranchWeights(1, 1000);
  unsigned joined = 0;
  for (Group& g : groups) {
    CallInst* first = g.calls[0];
    IRBuilder<> b(first);
    Value* at =
        g.calls.size() == 1 ? first->getArgOperand(0) : byte_address(b, g.base, g.offset);
    Value* missed = emitter.missed(b, at, Hook{HookKind::Access, g.size, g.write});
    Instruction* then = branch_if(missed, first, unlikely);
    b.SetInsertPoint(then);
    // The hook ends in a locked instruction, which would keep the access itself waiting for its
    // cache line until the shadow's has come.
    b.CreateIntrinsic(Intrinsic::prefetch, {at->getType()},
                      {at, b.getInt32(g.write ? 1 : 0), b.getInt32(3), b.getInt32(1)});
    for (CallInst* call : g.calls) {
      if (call != first) {  // its own address may be computed later
        APInt offset(64, 0);
        call->getArgOperand(0)->stripAndAccumulateConstantOffsets(
            function.getParent()->getDataLayout(), offset, true);
        call->setArgOperand(0, byte_address(b, g.base, offset.getSExtValue()));
        ++joined;
      }
      move_before(call, then);
    }
  }
  return joined;
}

}  // namespace steward::pass
