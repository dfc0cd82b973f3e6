// A detector and its settings, as a user writes them: "fasttrack", "pacer:3%",
// "pacer:1%:scope=thread:period=500:seed=7", "pacer:trace", "literace:burst=1000",
// "lockset:barrier=write:block=64".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/ids.h"

namespace steward::analyze {

enum class DetectorKind : std::uint8_t { Generic, FastTrack, Pacer, LiteRace, Lockset };

struct DetectorSpec {
  std::string text;  // as written: the detector's name in tables
  DetectorKind kind = DetectorKind::FastTrack;
  double rate = 0.03;              // pacer
  bool rate_from_trace = false;    // pacer: sampling periods are events of the trace
  bool per_thread = false;         // pacer
  std::uint64_t period = 1000;     // pacer: events a period
  std::uint64_t seed = 1;          // pacer, literace
  std::uint32_t burst = 10;        // literace
  bool write_barrier = false;      // lockset
  std::uint32_t block = 0;         // lockset: bytes of a sub-block of an array; 0: none
  std::vector<ThreadId> excluded;  // lockset: special threads
};

struct SpecResult {
  std::vector<DetectorSpec> specs;
  std::string error;  // empty: all well
};

// A list with commas between.
SpecResult parse_specs(std::string_view list);

// What the grammar is, for help texts.
extern const char* const kSpecHelp;

}  // namespace steward::analyze
