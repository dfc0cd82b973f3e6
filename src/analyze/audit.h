// One execution, several detectors that each leave out one of LARD's rules: what each would have
// reported in vain and what it would have missed (LARD paper, section 5.2 and Table 3).
//
// The detector with all rules is the measure. A report is an access at which some race was found;
// it is false where the measure has none at this access, and missed where it has one and the other
// has not. Reports are counted as they happen and by distinct place in the program.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/detector/analysis.h"
#include "core/detector/detector.h"
#include "event/event.h"
#include "event/race.h"

namespace steward::analyze {

struct AuditRules {
  const char* name;    // as Table 3 calls it
  const char* absent;  // "your clear-history calls": what it does without, in the user's words
  LardRules rules;
};
// LARD first. NoIdentity is ours: the paper's virtual machine had no threads of its own.
std::span<const AuditRules> audited();

struct Reports {
  std::uint64_t accesses = 0;
  std::set<SiteId> sites;     // that are known
  std::optional<Race> first;  // of a false report: what it says; of a missed one: what LARD says

  void add(const Race& r);
};

struct AuditedDetector {
  const AuditRules* rules;
  Reports all;
  Reports in_vain;  // false
  Reports missed;
};

class Audit {
 public:
  Audit();
  ~Audit();

  void process(std::span<const Event> events);
  // In the order of audited().
  const std::vector<AuditedDetector>& detectors() const { return results_; }

 private:
  struct Running;
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<AuditedDetector> results_;
};

}  // namespace steward::analyze
