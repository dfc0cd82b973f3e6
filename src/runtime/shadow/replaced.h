// The cell of a granule after an access to all of it that comes after all that is known of it, in
// any form but a side's: what was there goes. False: it does not come after, or is a read of what
// lists have.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/shadow/exclusive.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/short_list.h"

namespace steward::rt {

// In forms that few granules have.
__attribute__((noinline)) inline bool replaced_of_parts(const ThreadState& t, bool write,
                                                        ShadowCell seen, ShadowCell& next) {
  const Word w(seen.write);
  if (w.is_plain()) return exclusive_bytes(t, write, 0, 8, seen, next);
  if (!write || w.is_side()) return false;
  if (!(w.is_list() ? ShortList::is_past_of(t, seen) : Readers::is_past_of(t, seen))) return false;
  next = {t.word, 0};
  return true;
}
__attribute__((always_inline)) inline bool replaced_granule(const ThreadState& t, bool write,
                                                            const ShadowCell& seen,
                                                            ShadowCell& next) {
  if (exclusive_granule(t, write, seen, next)) return true;
  ShadowCell after;
  if (!replaced_of_parts(t, write, seen, after)) return false;
  next = after;
  return true;
}

}  // namespace steward::rt
