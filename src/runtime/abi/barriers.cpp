// Pointers that the program loads and stores, as code compiled with `steward c++ --lockset` tells
// them (pass/pointer_hooks.cpp). The other tools have no use for it, but run such a program.
#include "runtime/abi/hook.h"
#include "runtime/lockset/discipline.h"

using namespace steward::rt;

STEWARD_HOOK void __steward_pointer_read([[maybe_unused]] uptr value) {
  if constexpr (kLockset) discipline::pointer_read(*current, value);
}
STEWARD_HOOK void __steward_pointer_written([[maybe_unused]] uptr slot,
                                            [[maybe_unused]] uptr value) {
  if constexpr (kLockset) discipline::pointer_written(*current, slot, value);
}
// Once in each module that has these calls.
STEWARD_HOOK void __steward_has_barriers() {
  if constexpr (kLockset) discipline::note_barriers();
}
