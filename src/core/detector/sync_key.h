// Which clock of a synchronisation object an operation means.
//
// A readers-writer lock has two: writers publish in one, readers in the other. A reader acquires
// the writers' only, so that one reader is never ordered after another; a writer acquires both.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace steward {

struct SyncKey {
  std::uint64_t word;  // ids stay below 2^63
  bool is_volatile;    // for the counters: the paper tells locks from volatiles

  static SyncKey of(SyncId id, SyncMode mode) {
    return {raw(id), mode == SyncMode::Volatile};
  }
  static SyncKey readers_of(SyncId id) { return {raw(id) | kReaders, true}; }

 private:
  static constexpr std::uint64_t kReaders = std::uint64_t{1} << 63;
};

}  // namespace steward
