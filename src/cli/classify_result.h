// What was found of each variable; plain data for the printers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/classify_judge.h"
#include "cli/classify_variables.h"
#include "core/jumble/choose.h"
#include "report/model.h"

namespace steward::cli {

enum class Classification : unsigned char { Destructive, NoHarmSeen, NotExercised };
const char* name(Classification c);  // "destructive", "no harm seen", "not exercised"

struct StaleEvidence {
  std::uint64_t given = 0, latest = 0, count = 0;
  std::uint32_t size = 0, thread = 0, candidates = 0;
  report::Stack read, written, overwritten;
};

struct Witness {
  std::uint64_t seed = 0;
  jumble::Heuristic heuristic{};
  Harm harm;
  unsigned replayed = 0, replays = 0;  // of so many runs with the same seed, so many went wrong
  std::optional<StaleEvidence> stale;  // the last one before the end
  std::string command;                 // that makes it again
};

struct HeuristicResult {
  jumble::Heuristic heuristic{};
  std::uint64_t runs = 0, harmful = 0;
  double seconds = 0, cpu = 0;  // of all runs
};

struct VariableResult {
  Variable variable;
  Classification verdict = Classification::NotExercised;
  std::string model;  // java, torn, c++
  std::vector<HeuristicResult> heuristics;
  std::optional<Witness> witness;
  std::uint64_t unconfirmed_hangs = 0;  // too slow once, but not again
  std::uint64_t locations = 0, reads = 0, choices = 0, stale = 0, torn = 0, unseen = 0;
  std::uint64_t writes = 0, largest_uncompressed = 0, largest = 0, gc1 = 0, gc2 = 0, removed = 0;

  std::uint64_t runs() const;
  std::uint64_t harmful() const;
  std::string why_not_exercised() const;
};

struct ClassifyResult {
  std::vector<std::string> command;
  std::size_t detection_runs = 0, races = 0;
  std::size_t baseline_runs = 0;
  double baseline_seconds = 0;  // the slowest
  double baseline_cpu = 0;      // processor time, the mean
  double timeout = 0;
  std::vector<std::string> remarks;
  std::vector<VariableResult> variables;
  bool interrupted = false;

  bool any_destructive() const;
};

std::string classify_text(const ClassifyResult& r, bool color, bool stats);
std::string classify_json(const ClassifyResult& r);
// Writes the report `from` again as `to`, with verdicts. Empty, or why it cannot.
std::string annotate_report(const std::string& from, const std::string& to, const ClassifyResult& result);

}  // namespace steward::cli
