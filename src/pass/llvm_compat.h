// Where LLVM 14, 19 and 22 differ: pointers with and without the type they point to, positions
// given by instruction and by iterator, and names. The rest of the pass is written once.
#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace steward::pass {

using Position = llvm::BasicBlock::iterator;

// LLVM 16 is the first whose ThreadSanitizer calls __tsan_memcpy; before, it is memcpy itself.
inline constexpr bool kOwnMemoryHooks = LLVM_VERSION_MAJOR >= 16;

inline bool starts_with(llvm::StringRef text, llvm::StringRef prefix) {
#if LLVM_VERSION_MAJOR >= 16
  return text.starts_with(prefix);
#else
  return text.startswith(prefix);
#endif
}

inline unsigned signed_bits(const llvm::APInt& i) {
#if LLVM_VERSION_MAJOR >= 15
  return i.getSignificantBits();
#else
  return i.getMinSignedBits();
#endif
}

// To a value of this type, where pointers say so.
inline llvm::PointerType* pointer_to(llvm::Type* type) {
#if LLVM_VERSION_MAJOR >= 15
  return llvm::PointerType::getUnqual(type->getContext());
#else
  return llvm::PointerType::getUnqual(type);
#endif
}
inline llvm::PointerType* byte_pointer(llvm::LLVMContext& context) {
  return pointer_to(llvm::Type::getInt8Ty(context));
}

// `base` and `offset` bytes, as a pointer to bytes.
inline llvm::Value* byte_address(llvm::IRBuilder<>& b, llvm::Value* base, std::int64_t offset) {
  llvm::Value* bytes = b.CreatePointerCast(base, byte_pointer(b.getContext()));
  if (offset == 0) return bytes;
  return b.CreateGEP(b.getInt8Ty(), bytes, b.getInt64(static_cast<std::uint64_t>(offset)));
}

inline llvm::LoadInst* load_as(llvm::IRBuilder<>& b, llvm::Type* type, llvm::Value* pointer,
                               llvm::Align align) {
  return b.CreateAlignedLoad(type, b.CreatePointerCast(pointer, pointer_to(type)), align);
}

inline llvm::Instruction* branch_if(llvm::Value* condition, llvm::Instruction* before,
                                    llvm::MDNode* weights) {
#if LLVM_VERSION_MAJOR >= 19
  return llvm::SplitBlockAndInsertIfThen(condition, before->getIterator(), false, weights);
#else
  return llvm::SplitBlockAndInsertIfThen(condition, before, false, weights);
#endif
}

inline void split_block(llvm::BasicBlock* block, Position at) {
#if LLVM_VERSION_MAJOR >= 19
  llvm::SplitBlock(block, at);
#else
  llvm::SplitBlock(block, &*at);
#endif
}

inline void move_before(llvm::Instruction* i, llvm::Instruction* before) {
  i->moveBefore(*before->getParent(), before->getIterator());
}

inline llvm::SCEVExpander make_expander(llvm::ScalarEvolution& se, const llvm::DataLayout& layout) {
#if LLVM_VERSION_MAJOR >= 22
  static_cast<void>(layout);
  return llvm::SCEVExpander(se, "run");
#else
  return llvm::SCEVExpander(se, layout, "run");
#endif
}

inline bool can_expand_at(llvm::SCEVExpander& expander, const llvm::SCEV* value,
                          llvm::Instruction* at, llvm::ScalarEvolution& se) {
#if LLVM_VERSION_MAJOR >= 15
  static_cast<void>(se);
  return expander.isSafeToExpandAt(value, at);
#else
  static_cast<void>(expander);
  return llvm::isSafeToExpandAt(value, at, se);
#endif
}

inline llvm::Value* expand_at(llvm::SCEVExpander& expander, const llvm::SCEV* value,
                              llvm::Type* type, llvm::Instruction* at) {
#if LLVM_VERSION_MAJOR >= 19
  return expander.expandCodeFor(value, type, at->getIterator());
#else
  return expander.expandCodeFor(value, type, at);
#endif
}

// An instruction of a clone, and the debug records that LLVM 19 and later hang on it.
inline void remap(llvm::Instruction& i, llvm::ValueToValueMapTy& map) {
  const auto flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
  llvm::RemapInstruction(&i, map, flags);
#if LLVM_VERSION_MAJOR >= 19
  llvm::RemapDbgRecordRange(i.getModule(), i.getDbgRecordRange(), map, flags);
#endif
}

inline bool is_unsplit_coroutine(const llvm::Function& f) {
#if LLVM_VERSION_MAJOR >= 15
  return f.hasFnAttribute(llvm::Attribute::PresplitCoroutine);
#else
  return f.hasFnAttribute("coroutine.presplit");
#endif
}

// The C and C++ libraries' own. LLVM 14 marks none: the ones that matter, by name.
inline bool is_allocator(const llvm::CallBase& call) {
#if LLVM_VERSION_MAJOR >= 15
  return call.hasFnAttr(llvm::Attribute::AllocKind);
#else
  const llvm::Function* f = call.getCalledFunction();
  return f != nullptr && f->isDeclaration() &&
         llvm::StringSwitch<bool>(f->getName())
             .Cases("malloc", "calloc", "_Znwm", "_Znam", true)
             .Default(false);
#endif
}

template <class Pass>
void run_last(llvm::PassBuilder& builder) {
#if LLVM_VERSION_MAJOR >= 20
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes,
                                             llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) { passes.addPass(Pass()); });
#else
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(Pass()); });
#endif
}

}  // namespace steward::pass
