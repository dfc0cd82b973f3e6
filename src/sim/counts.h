// What a simulated machine did, as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/coherence/hierarchy.h"

namespace steward::sim {

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t instructions = 0;
  std::uint64_t accesses = 0;
  std::uint64_t syncs = 0;

  // Accesses by what dealt with them (Figure 10); together all of them.
  std::uint64_t untracked = 0;  // the run-time system's
  std::uint64_t stack = 0;
  std::uint64_t race_free = 0;
  std::uint64_t by_permission = 0;
  std::uint64_t by_hardware = 0;
  std::uint64_t by_software = 0;
  std::uint64_t atomic = 0;  // and checked in software

  // Events (Table 2).
  std::uint64_t hardware_checks = 0;
  std::uint64_t software_checks = 0;
  std::uint64_t metadata_evictions = 0;  // from the last-level cache
  std::uint64_t inflations = 0;
  std::uint64_t rollovers = 0;
  std::uint64_t l1_misses = 0;  // of the program's accesses

  std::uint64_t granularity_changes = 0;  // an item accessed at another size: not type-safe
  std::uint64_t handler_runs = 0;
  std::uint64_t context_switches = 0;
  std::uint64_t flushed_lines = 0;  // of metadata, at or after a context switch
  std::uint64_t identity_switches = 0;
  std::uint64_t clears = 0;
  std::uint64_t copies = 0;
  std::uint64_t invalidated_lines = 0;  // of metadata, by a clear
  std::uint64_t copied_lines = 0;       // of metadata, evicted by a copy
  std::uint64_t racy_accesses = 0;
};

struct ContentsSample {
  std::uint64_t cycle;
  Contents contents;
};

}  // namespace steward::sim
