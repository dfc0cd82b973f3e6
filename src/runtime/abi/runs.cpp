// Loops that walk over memory in equal steps, told of by stretches (src/pass/runs.cpp).
//
// A run: `count` times `bytes` bytes without a gap, each `stride` bytes from the last; the program
// accesses them as elements.
//
// In a build to be recorded (--record): the walks, each with one access a round, and then the loop
// that they are the accesses of, with its instructions a round.
#include "runtime/abi/hook.h"

using namespace steward::rt;
using steward::AccessKind;

namespace {

void run(AccessKind kind, uptr first, uptr bytes, uptr count, uptr stride, uptr element, uptr pc) {
  if (!started()) return;
  ThreadState& t = self();
  for (; count > 0; --count, first += stride) check_run(t, kind, first, bytes, element, pc);
}

void walk(AccessKind kind, uptr first, long step, uptr size, uptr rounds, uptr pc) {
  if (!started()) return;
  ThreadState& t = self();
  if constexpr (kTraces) {
    return trace::walk(t, is_write(kind), first, step, static_cast<unsigned>(size), pc);
  }
  const uptr width = static_cast<uptr>(step < 0 ? -step : step);
  if (step < 0) first -= width * (rounds - 1);  // from the lowest on
  if (width <= size) return check_run(t, kind, first, width * (rounds - 1) + size, size, pc);
  for (; rounds > 0; --rounds, first += width) check_run(t, kind, first, size, size, pc);
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

STEWARD_HOOK void __steward_read_walk(uptr first, long step, uptr size, uptr rounds) {
  walk(AccessKind::Read, first, step, size, rounds, STEWARD_CALLER);
}
STEWARD_HOOK void __steward_write_walk(uptr first, long step, uptr size, uptr rounds) {
  walk(AccessKind::Write, first, step, size, rounds, STEWARD_CALLER);
}
STEWARD_HOOK void __steward_loop(uptr rounds, uptr walks, uptr instructions) {
  if constexpr (kTraces) {
    if (started()) trace::loop(self(), rounds, walks, instructions);
  }
}
