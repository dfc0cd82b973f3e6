// What a detector must say of a trace, from the oracle.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/oracle/oracle.h"
#include "support/run.h"

namespace steward::test {

template <class Set = oracle::BigSet>
struct Truth {
  explicit Truth(const Trace& trace) {
    for (const Event& e : trace) {
      for (const oracle::Pair& p : oracle.add(e)) pairs.insert(p);
    }
  }
  bool racy_at(std::size_t event) const {
    for (const auto& p : pairs) {
      if (p.second == event) return true;
    }
    return false;
  }
  oracle::Oracle<Set> oracle;
  std::set<oracle::Pair> pairs;
};

inline oracle::Pair pair_of(const Race& r) { return {first_event(r), second_event(r)}; }

// Variables as the trace has them when all accesses are aligned words.
inline std::set<Address> racy_variables(const Trace& trace, const std::set<oracle::Pair>& pairs) {
  std::set<Address> racy;
  for (const auto& p : pairs) racy.insert(trace[p.second].address);
  return racy;
}

}  // namespace steward::test
