#include "pass/hooks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/llvm_compat.h"

namespace steward::pass {

using namespace llvm;

namespace {
constexpr const char* kShadow = "steward.shadow";  // metadata
}

void mark_as_check(CallInst& prefetch) {
  prefetch.setMetadata(kShadow, MDNode::get(prefetch.getContext(), {}));
}

Hook hook_of(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr) return {};
  if (callee->getIntrinsicID() == Intrinsic::prefetch && call->getMetadata(kShadow) != nullptr) {
    return {HookKind::Prefetch};
  }
  StringRef name = callee->getName();
  if (name == "__steward_read_run" || name == "__steward_write_run") {
    return {HookKind::OtherAccess, 0, name == "__steward_write_run"};
  }
  if (!kOwnMemoryHooks && (name == "memcpy" || name == "memmove" || name == "memset")) {
    return {HookKind::Memory};
  }
  if (!name.consume_front("__tsan_")) return {};
  const Hook aligned = StringSwitch<Hook>(name)
                           .Case("read1", {HookKind::Access, 1, false})
                           .Case("read2", {HookKind::Access, 2, false})
                           .Case("read4", {HookKind::Access, 4, false})
                           .Case("read8", {HookKind::Access, 8, false})
                           .Case("read16", {HookKind::Access, 16, false})
                           .Case("write1", {HookKind::Access, 1, true})
                           .Case("write2", {HookKind::Access, 2, true})
                           .Case("write4", {HookKind::Access, 4, true})
                           .Case("write8", {HookKind::Access, 8, true})
                           .Case("write16", {HookKind::Access, 16, true})
                           .Default({});
  if (aligned.kind != HookKind::None) return aligned;
  const HookKind kind = StringSwitch<HookKind>(name)
                            .StartsWith("func_", HookKind::Stack)
                            .StartsWith("mem", HookKind::Memory)
                            .StartsWith("atomic", HookKind::Atomic)
                            .StartsWith("unaligned_", HookKind::OtherAccess)
                            .StartsWith("volatile_", HookKind::OtherAccess)
                            .StartsWith("vptr_", HookKind::OtherAccess)
                            .StartsWith("read", HookKind::OtherAccess)  // _write, _range
                            .StartsWith("write", HookKind::OtherAccess)
                            .Default(HookKind::None);
  const unsigned size = StringSwitch<unsigned>(name)
                            .Case("unaligned_read2", 2)
                            .Case("unaligned_read4", 4)
                            .Case("unaligned_read8", 8)
                            .Case("unaligned_read16", 16)
                            .Case("unaligned_write2", 2)
                            .Case("unaligned_write4", 4)
                            .Case("unaligned_write8", 8)
                            .Case("unaligned_write16", 16)
                            .Default(0);
  return {kind, size, name.contains("write") || starts_with(name, "vptr_update")};
}

}  // namespace steward::pass
