// The calls that ThreadSanitizer's pass puts into a program, told apart by name.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace steward::pass {

enum class HookKind {
  None,
  Access,       // a load or store of 1 to 16 bytes, aligned to its size or to eight bytes
  Unaligned,    // one of 2 to 16 bytes at any address
  OtherAccess,  // vptr, volatile: always through the detector
  Memory,       // __tsan_memcpy and kin: it does the work as well
  Stack,        // function entry and exit
  Atomic,       // does the work and synchronises
  Prefetch,     // of shadow: our own, not a call
};

struct Hook {
  HookKind kind = HookKind::None;
  unsigned size = 0;  // of an access to one address; 0: other
  bool write = false;

  // Could be left out with no effect but on the detector.
  bool is_check() const {
    return is_access() || kind == HookKind::Stack || kind == HookKind::Prefetch;
  }
  bool is_access() const {
    return kind == HookKind::Access || kind == HookKind::Unaligned || kind == HookKind::OtherAccess;
  }
};

Hook hook_of(const llvm::Instruction& i);

// Makes it HookKind::Prefetch.
void mark_as_check(llvm::CallInst& prefetch);

}  // namespace steward::pass
