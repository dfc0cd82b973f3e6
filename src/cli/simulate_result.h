// What simulations came to: the RADISH paper's figures as numbers, for whoever prints them.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cli/simulate_pass.h"

namespace steward::cli {

// How much longer than without detection: 0.5 is half as long again. NaN: not known.
inline double overhead(const MachineRun* with, const MachineRun* without) {
  if (with == nullptr || without == nullptr || without->cycles == 0) return std::nan("");
  return static_cast<double>(with->cycles) / static_cast<double>(without->cycles) - 1;
}

inline double per_thousand(std::uint64_t n, const sim::Counts& c) {
  if (c.instructions == 0) return std::nan("");
  return 1000.0 * static_cast<double>(n) / static_cast<double>(c.instructions);
}

// Figure 10: what dealt with the accesses, in the order of their cost.
struct Mechanism {
  const char* name;
  std::uint64_t sim::Counts::*count;
};
inline constexpr std::array kMechanisms = {
    Mechanism{"run-time system", &sim::Counts::untracked},
    Mechanism{"stack", &sim::Counts::stack},
    Mechanism{"race-free page", &sim::Counts::race_free},
    Mechanism{"local permissions", &sim::Counts::by_permission},
    Mechanism{"hardware check", &sim::Counts::by_hardware},
    Mechanism{"software check", &sim::Counts::by_software},
    Mechanism{"atomic, in software", &sim::Counts::atomic},
};

// Every counter, with the name that JSON and CSV give it.
struct NamedCount {
  const char* name;
  std::uint64_t sim::Counts::*count;
};
inline constexpr std::array kCounts = {
    NamedCount{"events", &sim::Counts::events},
    NamedCount{"instructions", &sim::Counts::instructions},
    NamedCount{"accesses", &sim::Counts::accesses},
    NamedCount{"syncs", &sim::Counts::syncs},
    NamedCount{"untracked", &sim::Counts::untracked},
    NamedCount{"stack", &sim::Counts::stack},
    NamedCount{"race_free", &sim::Counts::race_free},
    NamedCount{"by_permission", &sim::Counts::by_permission},
    NamedCount{"by_hardware", &sim::Counts::by_hardware},
    NamedCount{"by_software", &sim::Counts::by_software},
    NamedCount{"atomic", &sim::Counts::atomic},
    NamedCount{"hardware_checks", &sim::Counts::hardware_checks},
    NamedCount{"software_checks", &sim::Counts::software_checks},
    NamedCount{"metadata_evictions", &sim::Counts::metadata_evictions},
    NamedCount{"inflations", &sim::Counts::inflations},
    NamedCount{"rollovers", &sim::Counts::rollovers},
    NamedCount{"l1_misses", &sim::Counts::l1_misses},
    NamedCount{"granularity_changes", &sim::Counts::granularity_changes},
    NamedCount{"handler_runs", &sim::Counts::handler_runs},
    NamedCount{"context_switches", &sim::Counts::context_switches},
    NamedCount{"flushed_lines", &sim::Counts::flushed_lines},
    NamedCount{"identity_switches", &sim::Counts::identity_switches},
    NamedCount{"clears", &sim::Counts::clears},
    NamedCount{"copies", &sim::Counts::copies},
    NamedCount{"invalidated_lines", &sim::Counts::invalidated_lines},
    NamedCount{"copied_lines", &sim::Counts::copied_lines},
    NamedCount{"racy_accesses", &sim::Counts::racy_accesses},
};

std::string simulate_text(const std::vector<TraceRun>& runs, const SimulatePlan& plan);
std::string simulate_json(const std::vector<TraceRun>& runs, const SimulatePlan& plan,
                          int exit_code);
std::string simulate_csv(const std::vector<TraceRun>& runs);

}  // namespace steward::cli
