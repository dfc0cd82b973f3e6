// Which file of a process an address is in, and what the file calls it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/model.h"
#include "report/symbolize.h"

namespace steward::report {

class Modules {
 public:
  void add(const ModuleRecord& module);
  // Null: none that was told of.
  const ModuleRecord* find(Address address) const;

 private:
  std::vector<ModuleRecord> modules_;
};

// Symbolises by way of a process's modules, and refuses files that are not those that ran.
class Namer {
 public:
  explicit Namer(Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  // Return addresses to frames, inlined ones expanded.
  Stack stack(const Modules& modules, const RawStack& raw);
  // Fills in symbol, bounds and place of a global.
  void global(const Modules& modules, Address address, Memory& memory);

  // One line a file that has changed since, and goes without names.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  bool usable(const ModuleRecord& module);

  Symbolizer& symbolizer_;
  std::map<std::string, bool> usable_;  // by path and build-id
  std::vector<std::string> complaints_;
};

}  // namespace steward::report
