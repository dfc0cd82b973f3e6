// In the place of the detector's checks (shadow/access.cpp): ranges, and loops that announce their
// accesses at once, go into the trace.
#include "runtime/shadow/cell.h"
#include "runtime/trace/tool.h"

namespace steward::rt {

void check_access(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  trace::range(t, is_write(kind), a, size, pc);
}

void check_last(ThreadState& t, uptr a, std::size_t size, uptr pc) {
  check_access(t, AccessKind::Write, a, size, pc);
}

// As the program makes them: element by element.
void check_run(ThreadState& t, AccessKind kind, uptr a, std::size_t size, std::size_t element,
               uptr pc) {
  const uptr end = a + size;
  while (end - a > element) {
    const std::size_t left = (end - a) / element;
    const std::size_t rounds = left < trace::kMaxRounds ? left : trace::kMaxRounds;
    trace::walk(t, is_write(kind), a, static_cast<std::int64_t>(element),
                static_cast<unsigned>(element), pc);
    trace::loop(t, rounds, 1, 0);
    a += rounds * element;
  }
  if (a < end) trace::range(t, is_write(kind), a, end - a, pc);
}

bool advance_in_place(const ThreadState&, bool, uptr, unsigned, ShadowCell, ShadowCell&) {
  return false;  // there are no cells
}

template <unsigned Size, bool Write>
void check_word(ThreadState& t, uptr a, uptr pc) {
  trace::access<Size, Write>(&t, a, pc);
}
void check_beside(ThreadState& t, AccessKind kind, uptr a, unsigned size, uptr pc) {
  check_access(t, kind, a, size, pc);
}
template void check_word<1, false>(ThreadState&, uptr, uptr);
template void check_word<1, true>(ThreadState&, uptr, uptr);
template void check_word<2, false>(ThreadState&, uptr, uptr);
template void check_word<2, true>(ThreadState&, uptr, uptr);
template void check_word<4, false>(ThreadState&, uptr, uptr);
template void check_word<4, true>(ThreadState&, uptr, uptr);
template void check_word<8, false>(ThreadState&, uptr, uptr);
template void check_word<8, true>(ThreadState&, uptr, uptr);

void check_side(const ThreadState&, AccessKind, LockedSide&, uptr, unsigned, LiveConflicts&) {}

}  // namespace steward::rt
