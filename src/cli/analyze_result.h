// What an analysis of a trace came to, as plain data for the printers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/analyze_pass.h"
#include "event/race.h"
#include "trace/names.h"
#include "trace/reader.h"

namespace steward::cli {

// What a detector of happens-before, in the same pass, says to a finding of the lockset detector.
enum class HappensBeforeSays : std::uint8_t {
  NotAsked,   // there is none
  SamePair,   // the two accesses race
  SameBytes,  // the bytes have a race, between other accesses
  Ordered,    // something other than a common lock orders them
};

// What the lockset detector knows of a finding; locks by name.
struct LockFinding {
  std::vector<std::string> first_held;
  std::vector<std::string> second_held;
  std::vector<std::string> before;  // common to all accesses until the second one
  HappensBeforeSays happens_before{};
};

// A distinct race and who found it.
struct FoundRace {
  Race example;                       // the earliest in the trace
  std::vector<std::uint64_t> counts;  // by contestant; 0: not found
  std::optional<LockFinding> locks;   // of the first lockset detector that found it
  bool only_lockset = false;          // a broken discipline, and no race that anyone saw
};

struct AnalyzeResult {
  const Pass* pass = nullptr;
  const trace::Names* names = nullptr;
  std::string trace;  // its path as given
  trace::Format format{};
  std::uint64_t bytes = 0;
  std::vector<FoundRace> races;  // in the order of the trace

  // How many of them are races, not findings of the lockset detector alone.
  std::size_t race_count() const;
  bool partial() const { return pass->cut_short.has_value(); }
  // The first FastTrack among the contestants, which the others are measured by.
  const Contestant* fasttrack() const;
  // Share of the races that `by` found (null: that any found) which this contestant found. NaN:
  // there are none.
  double share_found(const Contestant& c, const Contestant* by) const;
  // Dynamic races whose distinct race found no room in a contestant's table.
  std::uint64_t unlisted() const;
};

AnalyzeResult gather(const Pass& pass, const trace::Reader& reader, const std::string& trace);

// How much of the program a contestant looked at.
struct Sampling {
  std::uint64_t accesses = 0;
  std::uint64_t sampled_accesses = 0;
  std::uint64_t syncs = 0;
  std::optional<std::uint64_t> sampled_syncs;  // not counted when the trace says when to sample
};
Sampling sampling_of(const Contestant& c);

std::vector<Stat> counters(const Contestant& c);

}  // namespace steward::cli
