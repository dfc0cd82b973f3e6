// In the place of the detector's checks (shadow/access.cpp): accesses of code that does not carry
// values. Reads are as they are; writes are told to the jumbled locations they touch.
#include "runtime/jumble/tool.h"
#include "runtime/shadow/cell.h"

namespace steward::rt {

void check_access(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (is_write(kind)) jumble::announce_write(t, a, size, pc);
}

void check_last(ThreadState& t, uptr a, std::size_t size, uptr pc) {
  check_access(t, AccessKind::Write, a, size, pc);
}

void check_run(ThreadState& t, AccessKind kind, uptr a, std::size_t size, std::size_t, uptr pc) {
  check_access(t, kind, a, size, pc);
}

bool advance_in_place(const ThreadState&, bool, uptr, unsigned, ShadowCell, ShadowCell&) {
  return false;  // there are no cells
}

template <unsigned Size, bool Write>
void check_word(ThreadState& t, uptr a, uptr pc) {
  if (Write) jumble::announce_write(t, a, Size, pc);
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
