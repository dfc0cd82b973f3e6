#include "runtime/shadow/copy_history.h"

#include <algorithm>

#include "runtime/lockset/discipline.h"
#include "runtime/mem/pages.h"
#include "runtime/shadow/cell.h"

namespace steward::rt {
namespace {

KernelPages pages;

// Bytes that lie in one granule on either side. Two stripes are never held at once.
void copy_part(uptr from, uptr to, unsigned bytes) {
  const unsigned source_at = from & 7, target_at = to & 7;
  Pool scratch(pages);
  AccessList copy;
  {
    LockedSide source(from);
    for (const AccessList::Entry& e : source->accesses) {
      const unsigned mask = (e.mask & bytes_of(source_at, source_at + bytes)) >> source_at;
      if (mask == 0) continue;
      copy.add(scratch, {e.epoch, e.kind, static_cast<AccessList::Mask>(mask << target_at)});
    }
  }
  {
    LockedSide target(to);
    target->accesses.forget(bytes_of(target_at, target_at + bytes));
    target->forget();
    for (const AccessList::Entry& e : copy) target->accesses.add(target.pool(), e);
  }
  copy.begin_anew(scratch);
}

}  // namespace

void copy_history(uptr from, uptr to, std::size_t bytes) {
  if constexpr (kLockset) discipline::moved(from, to, bytes);
  if constexpr (kTraces) return move_shadow(from, to, bytes);
  const Moving moving;
  while (bytes != 0) {
    if (((from | to) & 7) == 0 && bytes >= 8) {
      const std::size_t whole = bytes & ~std::size_t{7};
      move_shadow(from, to, whole);
      from += whole;
      to += whole;
      bytes -= whole;
      continue;
    }
    const auto part =
        static_cast<unsigned>(std::min<std::size_t>(bytes, 8 - std::max(from & 7, to & 7)));
    copy_part(from, to, part);
    from += part;
    to += part;
    bytes -= part;
  }
}

}  // namespace steward::rt
