// Faults that tests seed, to see that the comparison with the vector-clock detector notices them.
#pragma once

#include <cstdint>

namespace steward::sim {

enum class Fault : std::uint8_t {
  None,
  EvictionKeepsStatus,        // a valid clock leaves; the status still says it is here
  EvictionKeepsPermissions,   // ... and other cores' permissions are not lowered
  CoherenceKeepsPermissions,  // a line comes back; what others did to it meanwhile is not asked
  WriteKeepsClocks,           // older clocks of other cores survive a write
  FillGrantsWrite,            // permissions of a new metadata line look at writes only
  ImportsDeadReads,           // software's reads from before the last write are imported
  SwitchKeepsPermissions,     // a thread comes back to its core and trusts its old permissions
  ClearKeepsCached,           // freed memory's history is cleared in software only
  CopyWithoutEviction,        // a moved object's history is copied without what the caches hold
};

}  // namespace steward::sim
