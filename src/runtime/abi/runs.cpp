// Loops that walk over memory in equal steps, checked by stretches (src/pass/runs.cpp): `count`
// times `bytes` bytes without a gap, each `stride` bytes from the last; the program accesses them
// as elements.
#include "runtime/abi/hook.h"

using namespace steward::rt;
using steward::AccessKind;

namespace {

void run(AccessKind kind, uptr first, uptr bytes, uptr count, uptr stride, uptr element, uptr pc) {
  if (!started()) return;
  ThreadState& t = self();
  for (; count > 0; --count, first += stride) check_run(t, kind, first, bytes, element, pc);
}

}  // namespace

STEWARD_HOOK void __steward_read_run(uptr first, uptr bytes, uptr count, uptr stride,
                                     uptr element) {
  run(AccessKind::Read, first, bytes, count, stride, element, STEWARD_CALLER);
}
STEWARD_HOOK void __steward_write_run(uptr first, uptr bytes, uptr count, uptr stride,
                                      uptr element) {
  run(AccessKind::Write, first, bytes, count, stride, element, STEWARD_CALLER);
}
