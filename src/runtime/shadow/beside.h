// A step on bytes whose granule has a side, where that is a matter of a few accesses: under the
// list's lock alone.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/tool.h"

namespace steward::rt {

enum class Beside : std::uint8_t {
  Done,
  Small,    // done, and the side may go (LockedSide::may_go)
  Before,   // nothing to do: this epoch has made such an access
  Many,     // not done: the list may be long
  Unsolved  // not done: it takes all the rules, and the stripe's lock
};

// By a thread that samples. `note` tells the history of a step that is done, before the lock is
// given: whoever finds the access in the list must find its stack.
template <bool Write, class Note>
__attribute__((always_inline)) inline Beside step_beside(const ThreadState& t,
                                                         const ShadowCell& cell,
                                                         AccessList::Mask mask, Note note) {
  const Word w(__atomic_load_n(&cell.write, __ATOMIC_ACQUIRE));
  if (!w.is_side() || !t.sampling) return Beside::Unsolved;
  Side& side = *w.side<Side>();
  if (!side.accesses.are_few()) return Beside::Many;
  const Locked guard(side.accesses.lock);
  // It may have become another granule's, and long.
  if (__atomic_load_n(&cell.write, __ATOMIC_RELAXED) != w.bits()) return Beside::Unsolved;
  if (!side.accesses.are_few()) return Beside::Many;
  const auto made = side.accesses.advance<Write>(t, t.epoch, mask);
  if (made == AccessList::Made::Before) return Beside::Before;
  if (made == AccessList::Made::No) {
    // Whoever has come since this epoch's own access, and raced with it, has been told.
    return side.accesses.has(t.epoch, Write, mask) ? Beside::Before : Beside::Unsolved;
  }
  note();
  // With FastTrack what is known without the lock of atomic accesses is still in the list.
  if (kSamples && Write) side.forget();
  return LockedSide::may_go(side) ? Beside::Small : Beside::Done;
}

}  // namespace steward::rt
