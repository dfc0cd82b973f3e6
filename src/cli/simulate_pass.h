// Passes of a trace through simulated machines. Gathers; prints nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "sim/config.h"
#include "sim/run/simulation.h"

namespace steward::cli {

// One machine's run over one trace.
struct MachineRun {
  sim::Kind kind{};
  sim::Config config;
  std::uint64_t cycles = 0;
  sim::Counts counts;
  std::vector<sim::ContentsSample> samples;
  std::uint64_t cache_lines = 0;
  std::uint64_t memory = 0;
  double seconds = 0;
};

// A parameter and the values it takes, one after the other.
struct Sweep {
  std::string key;
  std::vector<std::string> values;
};
struct SweepRun {
  std::string value;
  MachineRun none;
  MachineRun radish;
};

struct RacyPlace {
  std::string where;  // "write of 8 bytes at V1 by T2 at app.c:12", as the trace names things
  std::uint64_t event = 0;
};

struct TraceRun {
  std::string trace;
  std::uint64_t events = 0;
  std::uint64_t threads = 0;
  std::vector<MachineRun> machines;
  std::vector<std::pair<Sweep, std::vector<SweepRun>>> sweeps;
  std::vector<RacyPlace> races;  // the first ones
  // Why nothing after the events above was simulated.
  std::optional<std::string> partial;
  std::optional<std::string> unreadable;  // nothing was

  const MachineRun* machine(sim::Kind k) const;
};

struct SimulatePlan {
  sim::Config config;
  std::vector<sim::Kind> machines;
  std::vector<Sweep> sweeps;
  std::uint64_t max_races = 10;
  bool lenient = false;
};

TraceRun simulate_trace(const std::string& path, const SimulatePlan& plan, Progress& progress);

}  // namespace steward::cli
