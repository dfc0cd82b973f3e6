// Where the shadow of an address is, in the program's code.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace steward::pass {

// Of the granule at `address`, an integer: shadow_of in runtime/shadow/layout.h.
inline llvm::Value* shadow_of(llvm::IRBuilder<>& b, llvm::Value* address) {
  llvm::Module& m = *b.GetInsertBlock()->getModule();
  auto* variable =
      llvm::cast<llvm::GlobalVariable>(m.getOrInsertGlobal("__steward_flip", b.getInt64Ty()));
  variable->setConstant(true);  // once the runtime has started, before any code of the program
  llvm::LoadInst* flip = b.CreateAlignedLoad(b.getInt64Ty(), variable, llvm::Align(8));
  flip->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  constexpr std::uint64_t kGranuleShadow = 0x7ffffffffff0;
  return b.CreateXor(b.CreateAnd(b.CreateShl(address, 1), kGranuleShadow), flip);
}

// Into the nearest cache.
inline llvm::CallInst* prefetch(llvm::IRBuilder<>& b, llvm::Value* at, bool write) {
  return b.CreateIntrinsic(llvm::Intrinsic::prefetch, {at->getType()},
                           {at, b.getInt32(write ? 1 : 0), b.getInt32(3), b.getInt32(1)});
}

}  // namespace steward::pass
