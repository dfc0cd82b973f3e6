// What is to be jumbled: racy variables, by the names that people give them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/classify_sites.h"
#include "report/model.h"

namespace steward::cli {

struct Variable {
  std::string name;
  std::set<std::uint32_t> variables;  // hashes, for the runtime
  std::set<std::uint32_t> lines;
  bool all_atomics = false;
  std::vector<std::string> races;   // fingerprints
  std::vector<std::string> places;  // of the racing accesses, each once
  std::string problem;              // why it cannot be jumbled; empty: it can
};

// The variables of a report's races, in its order, each once.
std::vector<Variable> variables_of(const report::Report& report, const SiteTable& sites);

// As the command line names them. `problem` says so if there is no such thing.
Variable named_variable(const std::string& name, const SiteTable& sites);
Variable variable_at(const std::string& place, const SiteTable& sites);  // file:line

// One that stands for all of them.
Variable together(const std::vector<Variable>& all);

}  // namespace steward::cli
