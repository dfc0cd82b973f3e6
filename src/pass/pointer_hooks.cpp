#include "pass/pointer_hooks.h"

#include <cstdlib>
#include <string_view>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace steward::pass {
namespace {

using namespace llvm;

// A local variable that nobody else can reach hands nothing over, nor does a constant.
bool may_hand_over(const Value* slot) {
  if (slot->getType()->getPointerAddressSpace() != 0) return false;
  const Value* object = getUnderlyingObject(slot);
  if (const auto* global = dyn_cast<GlobalVariable>(object)) return !global->isConstant();
  if (isa<AllocaInst>(object)) return PointerMayBeCaptured(object, true, true);
  return true;
}

bool is_heap_pointer(const Value* value) {
  if (!value->getType()->isPointerTy() || value->getType()->getPointerAddressSpace() != 0) {
    return false;
  }
  const Value* object = getUnderlyingObject(value);
  return !isa<Constant>(object) && !isa<AllocaInst>(object);
}

bool is_of_vtable(const Instruction& access) {
  const MDNode* tag = access.getMetadata(LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

}  // namespace

bool pointer_hooks_wanted() {
  const char* wanted = std::getenv("STEWARD_POINTER_HOOKS");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

void add_pointer_hooks(Function& function) {
  SmallVector<LoadInst*, 32> loads;
  SmallVector<StoreInst*, 32> stores;
  for (BasicBlock& block : function) {
    for (Instruction& i : block) {
      if (is_of_vtable(i)) continue;
      if (auto* load = dyn_cast<LoadInst>(&i)) {
        if (is_heap_pointer(load) && may_hand_over(load->getPointerOperand())) {
          loads.push_back(load);
        }
      } else if (auto* store = dyn_cast<StoreInst>(&i)) {
        if (is_heap_pointer(store->getValueOperand()) &&
            may_hand_over(store->getPointerOperand())) {
          stores.push_back(store);
        }
      }
    }
  }
  Module& m = *function.getParent();
  Type* i64 = Type::getInt64Ty(m.getContext());  // a pointer's type differs between versions
  Type* none = Type::getVoidTy(m.getContext());
  const auto emit = [&](Instruction& access, const char* hook, ArrayRef<Value*> pointers) {
    IRBuilder<> b(access.getNextNode());
    b.SetCurrentDebugLocation(access.getDebugLoc());
    SmallVector<Value*, 2> words;
    for (Value* p : pointers) words.push_back(b.CreatePtrToInt(p, i64));
    const SmallVector<Type*, 2> types(words.size(), i64);
    b.CreateCall(m.getOrInsertFunction(hook, FunctionType::get(none, types, false)), words);
  };
  for (LoadInst* load : loads) emit(*load, "__steward_pointer_read", {load});
  for (StoreInst* store : stores) {
    emit(*store, "__steward_pointer_written",
         {store->getPointerOperand(), store->getValueOperand()});
  }
}

void announce_pointer_hooks(Module& m) {
  if (m.getFunction("__steward_pointer_read") == nullptr &&
      m.getFunction("__steward_pointer_written") == nullptr) {
    return;
  }
  FunctionType* type = FunctionType::get(Type::getVoidTy(m.getContext()), false);
  auto* begin = Function::Create(type, GlobalValue::InternalLinkage, "steward.has_barriers", m);
  IRBuilder<> b(BasicBlock::Create(m.getContext(), "", begin));
  b.CreateCall(m.getOrInsertFunction("__steward_has_barriers", type));
  b.CreateRetVoid();
  appendToGlobalCtors(m, begin, 0);
}

}  // namespace steward::pass
