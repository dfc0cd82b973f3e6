#include "pass/inline_checks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "pass/ahead.h"
#include "pass/hooks.h"
#include "pass/llvm_compat.h"
#include "pass/next_round.h"
#include "pass/shadow_address.h"
#include "pass/versions.h"

namespace steward::pass {
namespace {

using namespace llvm;

// The thread's, from the runtime (runtime/thread/registry.cpp).
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

  // Soon somebody looks there.
  void prefetch_shadow(IRBuilder<>& b, Value* address) {
    Value* shadow = shadow_of(b, b.CreatePtrToInt(address, i64_));
    prefetch(b, b.CreateIntToPtr(shadow, byte_pointer(f_.getContext())), true);
  }
  // The condition under which the hook must be called.
  Value* missed(IRBuilder<>& b, Value* address, const Hook& hook) {
    auto* i32 = Type::getInt32Ty(f_.getContext());
    Value* a = b.CreatePtrToInt(address, i64_);
    Value* shadow = shadow_of(b, a);
    const bool unaligned = hook.kind == HookKind::Unaligned;
    Type* part = hook.size >= 8 || unaligned ? i64_ : i32;
    const Seen seen{load_word(b, part, "__steward_word"),
                    hook.write ? nullptr : load_word(b, part, "__steward_read_word")};
    if (hook.size >= 8 || unaligned) {
      Value* same = is_same(b, i64_, shadow, seen);
      if (hook.size == 16) {
        Value* next = b.CreateAdd(shadow, ConstantInt::get(i64_, 16));
        same = b.CreateAnd(same, is_same(b, i64_, next, seen));
      }
      // Most words at any byte are parts of a text, whose other bytes have been read as well.
      if (unaligned) {
        Value* last = shadow_of(b, b.CreateAdd(a, ConstantInt::get(i64_, hook.size - 1)));
        same = b.CreateAnd(same, is_same(b, i64_, last, seen));
      }
      return b.CreateNot(same);
    }
    return b.CreateNot(is_same(b, i32, b.CreateAdd(shadow, b.CreateAnd(a, 4)), seen));
  }
  // The same of a read, after all: has a crowd read it that this thread was in?
  Value* not_in_crowd(IRBuilder<>& b, Value* address, unsigned size) {
    Type* part = size >= 8 ? i64_ : Type::getInt32Ty(f_.getContext());
    Value* a = b.CreatePtrToInt(address, i64_);
    Value* at = b.CreateAdd(shadow_of(b, a), ConstantInt::get(i64_, kReadWord));
    if (size < 8) at = b.CreateAdd(at, b.CreateAnd(a, 4));
    Value* crowd = load_word(b, part, "__steward_crowd_word");
    Value* same = b.CreateICmpEQ(load(b, part, at), crowd);
    if (size == 16) {
      Value* next = b.CreateAdd(at, ConstantInt::get(i64_, 16));
      same = b.CreateAnd(same, b.CreateICmpEQ(load(b, part, next), crowd));
    }
    return b.CreateNot(same);
  }
  // And one of several readers (runtime/shadow/readers.h), all of its granule? A thread's part of
  // that form is half a word: its epoch, and both halves' bits. The words must be of one time.
  Value* not_among_readers(IRBuilder<>& b, Value* address) {
    constexpr std::uint64_t kBothHalves = 0xc000'0000'c000'0000, kShared = 0xc000'0000'0000'0000;
    Value* at = shadow_of(b, b.CreatePtrToInt(address, i64_));
    Value* write = load(b, i64_, at, AtomicOrdering::Acquire);
    Value* read =
        load(b, i64_, b.CreateAdd(at, ConstantInt::get(i64_, kReadWord)), AtomicOrdering::Acquire);
    Value* still = b.CreateICmpEQ(load(b, i64_, at), write);
    Value* mine = b.CreateOr(load_word(b, i64_, "__steward_read_word"), kBothHalves);
    Value* other = b.CreateXor(read, mine);
    Value* is_first =
        b.CreateICmpEQ(b.CreateTrunc(other, Type::getInt32Ty(f_.getContext())), b.getInt32(0));
    Value* is_second = b.CreateICmpEQ(b.CreateLShr(other, 32), ConstantInt::get(i64_, 0));
    Value* is_shared = b.CreateICmpUGE(write, ConstantInt::get(i64_, kShared));
    return b.CreateNot(b.CreateAnd(b.CreateAnd(is_shared, still), b.CreateOr(is_first, is_second)));
  }

 private:
  struct Seen {  // what the words of a granule look like that need not be checked
    Value* write;
    Value* read;  // null: it is a write, and the read word does not matter
  };
  Value* load_word(IRBuilder<>& b, Type* part, const char* name) {
    return load_as(b, part, word_of(m_, name), Align(8));
  }
  static constexpr std::uint64_t kReadWord = 8;  // where it is in a granule's shadow
  // The write word says so, or for a read, the read word does.
  Value* is_same(IRBuilder<>& b, Type* part, Value* at, const Seen& seen) {
    Value* same = b.CreateICmpEQ(load(b, part, at), seen.write);
    if (seen.read == nullptr) return same;
    Value* read = load(b, part, b.CreateAdd(at, ConstantInt::get(i64_, kReadWord)));
    return b.CreateOr(same, b.CreateICmpEQ(read, seen.read));
  }
  // Others change it: a plain load would let the optimiser believe that they do not.
  Value* load(IRBuilder<>& b, Type* part, Value* at,
              AtomicOrdering order = AtomicOrdering::Monotonic) {
    auto* p = b.CreateIntToPtr(at, pointer_to(part));
    LoadInst* l = b.CreateAlignedLoad(part, p, Align(part->getIntegerBitWidth() / 8));
    l->setAtomic(order);
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
  bool unaligned = false;
  SmallVector<CallInst*, 4> calls;  // in the program's order
  // What is accessed soon after, elsewhere: its shadow is asked for before the hook is called, so
  // that lines that are far away come together.
  struct Next {
    Ahead base;
    std::int64_t offset;
  };
  SmallVector<Next, 3> next;
  std::optional<NextRound> round;  // likewise of itself, in the next round of its loop
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
      if (o.unaligned || g.unaligned) continue;
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
    if (hook.kind != HookKind::Access && hook.kind != HookKind::Unaligned) continue;
    auto* call = cast<CallInst>(&i);
    APInt offset(64, 0);
    Group g;
    g.base = call->getArgOperand(0)->stripAndAccumulateConstantOffsets(layout, offset, true);
    g.offset = offset.getSExtValue();
    g.size = hook.size;
    g.write = hook.write;
    g.unaligned = hook.kind == HookKind::Unaligned;
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

void look_ahead(MutableArrayRef<Group> groups) {
  for (Group& g : groups) g.round = NextRound::of(g.base, g.calls[0]);
  constexpr std::size_t kNear = 8, kMost = 3;
  constexpr std::int64_t kLine = 32;  // bytes whose shadow is a line
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Group& here = groups[i];
    const Group* chosen[kMost];
    for (const Group& g : groups.slice(i + 1).take_front(kNear)) {
      if (here.next.size() == kMost) break;
      if (!here.calls[0]->comesBefore(g.calls[0])) continue;
      const auto is_near = [&](const Group& o) {
        return o.base == g.base && std::abs(o.offset - g.offset) < kLine;
      };
      Group::Next next{{}, g.offset};
      if (is_near(here) ||
          std::any_of(chosen, chosen + here.next.size(),
                      [&](const Group* o) { return is_near(*o); }) ||
          !Ahead::can(g.base, here.calls[0], next.base)) {
        continue;
      }
      chosen[here.next.size()] = &g;
      here.next.push_back(std::move(next));
    }
  }
}

}  // namespace

unsigned inline_checks(Function& function) {
  SmallVector<Group, 32> groups;
  for (BasicBlock& block : function) {
    SmallVector<Group, 16> here = groups_of(block);
    look_ahead(here);
    for (Group& g : here) groups.push_back(std::move(g));
  }
  Emitter emitter(function);
  MDNode* unlikely = MDBuilder(function.getContext()).createBranchWeights(1, 1000);
  unsigned joined = 0;
  for (Group& g : groups) {
    CallInst* first = g.calls[0];
    IRBuilder<> b(first);
    Value* at = g.calls.size() == 1 ? first->getArgOperand(0) : byte_address(b, g.base, g.offset);
    const HookKind kind = g.unaligned ? HookKind::Unaligned : HookKind::Access;
    Value* missed = emitter.missed(b, at, Hook{kind, g.size, g.write});
    Instruction* then = branch_if(missed, first, unlikely);
    b.SetInsertPoint(then);
    if (!g.write && !g.unaligned) {  // out of the way: most data is not everybody's
      then = branch_if(emitter.not_in_crowd(b, at, g.size), then, nullptr);
      b.SetInsertPoint(then);
      if (g.size == 8) {
        then = branch_if(emitter.not_among_readers(b, at), then, nullptr);
        b.SetInsertPoint(then);
      }
    }
    // The hook ends in a locked instruction, which would keep the access itself waiting for its
    // cache line until the shadow's has come.
    prefetch(b, at, g.write);
    for (const Group::Next& n : g.next) {
      emitter.prefetch_shadow(b, byte_address(b, n.base.make(b), n.offset));
    }
    if (g.round) {
      for (const bool way : {true, false}) {
        emitter.prefetch_shadow(b, byte_address(b, g.round->make(b, way), g.offset));
      }
    }
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
