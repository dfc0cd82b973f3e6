// Sampled accesses that happen before everything to come can race no more: they go, and with them
// the shadow they lie in.
#pragma once

#include "core/clock/epoch.h"
#include "runtime/platform/linux/sys.h"
#include "runtime/shadow/word.h"

namespace steward::rt {

// What every living thread has received from each slot.
struct CommonPast {
  std::uint32_t size = 0;
  Clock clocks[kMaxSlots];
  bool settled = false;  // no thread samples any more, until the next sampled period
  bool covers(Epoch30 e) const {
    const Epoch epoch = unpack(e);
    return epoch.clock() <= (raw(epoch.slot()) < size ? clocks[raw(epoch.slot())] : 0);
  }
};

// All of it has become the past: every cell is dropped unseen. The memory stays for the next
// sampled period, or it is given back.
void drop_all_accesses();
void give_shadow_back();
// Only what has. Returns a granule of which something is left; 0: once threads have settled,
// nothing is left anywhere.
uptr sweep(const CommonPast& past);
// Is that still so?
bool is_recorded(uptr granule);

}  // namespace steward::rt
