// What PACER promises of a trace with sampling periods, from the oracle (paper, Definitions 3-4 and
// Theorems 1-2):
// - every report is a true race whose first access was sampled;
// - a variable with a sampled, shortest race has a report no later than the second access of the
//   first such race, and if its first report is there, that race is in it;
// - its first report is a sampled, shortest race, or one of those that the rules of Table 4 keep
//   although an unsampled access that races with the same write or read came between: a read, which
//   discards no write and no unordered read; or, with global periods, an access of the same thread
//   in the epoch of the sampled one (rules 1 and 4 outside sampling).
// After the first report on a variable its history is no longer that of a race-free execution, and
// only the first promise holds.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/oracle/oracle.h"
#include "core/pacer/pacer.h"
#include "support/run.h"

namespace steward::test {

// For traces whose accesses are aligned words and have no atomics.
template <class Set = oracle::BigSet>
class PacerSpec {
 public:
  PacerSpec(const Trace& trace, Pacer::Scope scope)
      : trace_(&trace), scope_(scope), races_(trace.size()), sampled_(trace.size()) {
    oracle::Oracle<Set> oracle;
    std::map<ThreadId, bool> sampling;
    bool all = false;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Event& e = trace[i];
      if (e.kind == EventKind::SampleBegin || e.kind == EventKind::SampleEnd) {
        const bool on = e.kind == EventKind::SampleBegin;
        if (e.thread == kAllThreads) {
          all = on;
        } else {
          sampling[e.thread] = on;
        }
      }
      sampled_[i] = all || sampling[e.thread];
      races_[i] = oracle.add(e);
    }
  }

  bool any_sampled_race() const {
    for (const auto& pairs : races_) {
      for (const auto& p : pairs) {
        if (sampled_[p.first]) return true;
      }
    }
    return false;
  }

  // The sampled, shortest race that ends in event b, if there is one: the last access that races
  // with b, if it was sampled.
  std::optional<oracle::Pair> sampled_shortest(std::size_t b) const {
    if (races_[b].empty()) return std::nullopt;
    const oracle::Pair last = races_[b].back();  // sorted by first event
    if (!sampled_[last.first]) return std::nullopt;
    return last;
  }

  // Null, or what promise the reports break.
  const char* violation(const std::vector<Race>& reports) const {
    std::map<Address, std::size_t> first_report;
    std::map<std::size_t, std::set<oracle::Pair>> at;
    for (const Race& r : reports) {
      const oracle::Pair p{first_event(r), second_event(r)};
      const auto& true_races = races_[p.second];
      if (std::find(true_races.begin(), true_races.end(), p) == true_races.end()) {
        return "reported what is no race";
      }
      if (!sampled_[p.first]) return "reported a race whose first access was not sampled";
      first_report.emplace(r.address, p.second);
      at[p.second].insert(p);
    }
    std::set<Address> settled;
    for (std::size_t b = 0; b < trace_->size(); ++b) {
      const Event& e = (*trace_)[b];
      if (!e.is_access() || settled.count(e.address) != 0) continue;
      const auto shortest = sampled_shortest(b);
      const auto report = first_report.find(e.address);
      const bool reported_here = report != first_report.end() && report->second == b;
      if (shortest && !reported_here) return "missed a sampled, shortest race";
      if (shortest && !named(at[b], *shortest)) return "named another race than the shortest";
      if (!shortest && reported_here && !excepted(at[b])) return "reported a race not shortest";
      if (reported_here) settled.insert(e.address);
    }
    return nullptr;
  }

 private:
  // Of a thread's accesses in one epoch the first stands for all: the same thread and kind will do.
  bool named(const std::set<oracle::Pair>& reported, const oracle::Pair& shortest) const {
    const Event& want = (*trace_)[shortest.first];
    for (const oracle::Pair& p : reported) {
      const Event& e = (*trace_)[p.first];
      if (e.thread == want.thread && e.kind == want.kind) return true;
    }
    return false;
  }

  bool excepted(const std::set<oracle::Pair>& reported) const {
    for (const oracle::Pair& p : reported) {
      const Event& first = (*trace_)[p.first];
      for (const oracle::Pair& later : races_[p.second]) {
        const Event& between = (*trace_)[later.first];
        if (later.first <= p.first || between.kind == EventKind::Read) continue;
        // Of a thread's sampled accesses in one epoch the first stands for all.
        const bool stood_for = sampled_[later.first] || scope_ == Pacer::Scope::Global;
        if (between.thread == first.thread && stood_for) continue;
        return false;
      }
    }
    return true;
  }

  const Trace* trace_;
  Pacer::Scope scope_;
  std::vector<std::vector<oracle::Pair>> races_;  // by their second event
  std::vector<bool> sampled_;
};

}  // namespace steward::test
