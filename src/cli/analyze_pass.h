// One pass over a trace: each batch of events is checked, then given to every detector in turn.
// Gathers; prints nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cli/progress.h"
#include "core/detector/detector.h"
#include "trace/reader.h"

#include "analyze/race_table.h"
#include "analyze/spec.h"

namespace steward::cli {

// A detector in the comparison and what it brought.
struct Contestant {
  analyze::DetectorSpec spec;
  std::unique_ptr<Detector> detector;
  analyze::RaceTable races;
  std::chrono::steady_clock::duration spent{};

  double seconds() const { return std::chrono::duration<double>(spent).count(); }
};

// Why a trace cannot have happened, folded by the operation that was out of place.
struct Complaint {
  static constexpr std::size_t kKept = 3;

  std::string_view operation;  // as a text trace spells it
  std::uint64_t count = 0;
  std::vector<std::string> first;  // at most kKept
};

struct Pass {
  std::vector<Contestant> contestants;
  std::uint64_t events = 0;                    // analysed
  std::uint64_t threads = 0;                   // that act or are named in an event
  std::unordered_set<Address> racy_addresses;  // found by any; capped as RaceTable's are
  std::vector<Complaint> complaints;           // when lenient
  // Set when the result is partial: why nothing after the events above was analysed.
  std::optional<std::string> cut_short;
  bool infeasible = false;  // and --lenient would go on
};

// `name` stands for the trace in messages.
Pass run_pass(trace::Reader& reader, const std::string& name,
              const std::vector<analyze::DetectorSpec>& specs, bool lenient, Progress& progress);

}  // namespace steward::cli
