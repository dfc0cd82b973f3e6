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
  const Hook access = StringSwitch<Hook>(name)
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
                          .Case("unaligned_read2", {HookKind::Unaligned, 2, false})
                          .Case("unaligned_read4", {HookKind::Unaligned, 4, false})
                          .Case("unaligned_read8", {HookKind::Unaligned, 8, false})
                          .Case("unaligned_read16", {HookKind::Unaligned, 16, false})
                          .Case("unaligned_write2", {HookKind::Unaligned, 2, true})
                          .Case("unaligned_write4", {HookKind::Unaligned, 4, true})
                          .Case("unaligned_write8", {HookKind::Unaligned, 8, true})
                          .Case("unaligned_write16", {HookKind::Unaligned, 16, true})
                          .Default({});
  if (access.kind != HookKind::None) return access;
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
  return {kind, 0, name.contains("write") || starts_with(name, "vptr_update")};
}

}  // namespace steward::pass
