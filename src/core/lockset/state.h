// The states and transitions of Figure 2 of the paper on lockset detection with a read barrier
// (docs/detectors/lockset.md). An object, a sub-block of an array and a field are each in one of
// the seven states; an Edge is one arrow between them, and every arrow has a counter.
#pragma once

#include <cstdint>

namespace steward::lockset {

enum class State : std::uint8_t {
  Owned,           // object: only its owner has a reference
  Escaped,         // object: another thread has obtained one; field: nobody has touched it since
  BlockFree,       // sub-block of an escaped array: nobody has touched it since
  BlockOwned,      // sub-block: one thread has
  SharedRead,      // field: read only
  SharedModified,  // field: written, and some lock is held at every access
  Conflict,        // field: written, by two threads or more, and no lock is
};

enum class Edge : std::uint8_t {
  OwnedByOwner,
  OwnedToEscapedByLoad,    // the read barrier: a reference was read by another thread
  OwnedToEscapedByStore,   // the write barrier: it became reachable from a global object
  OwnedToEscapedByAccess,  // neither barrier saw the hand-over, but another thread is here
  EscapedToBlockFree,
  BlockFreeToBlockOwned,
  BlockOwnedByOwner,
  BlockOwnedToSharedRead,
  BlockOwnedToSharedModified,
  EscapedToSharedRead,
  EscapedToSharedModified,
  SharedRead,
  SharedReadToSharedModified,
  SharedReadToConflict,
  SharedModified,
  SharedModifiedToConflict,
  Conflict,
};
inline constexpr unsigned kEdges = 17;

constexpr const char* name(Edge e) {
  constexpr const char* kNames[kEdges] = {"owned, by its owner",
                                          "owned -> escaped (reference read)",
                                          "owned -> escaped (reference stored)",
                                          "owned -> escaped (accessed)",
                                          "escaped -> block free",
                                          "block free -> block owned",
                                          "block owned, by its owner",
                                          "block owned -> shared read",
                                          "block owned -> shared modified",
                                          "escaped -> shared read",
                                          "escaped -> shared modified",
                                          "shared read",
                                          "shared read -> shared modified",
                                          "shared read -> conflict",
                                          "shared modified",
                                          "shared modified -> conflict",
                                          "conflict"};
  return kNames[static_cast<unsigned>(e)];
}

}  // namespace steward::lockset
