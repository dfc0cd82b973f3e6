#include "support/coverage.h"

#include <cstdio>
#include <set>

namespace steward::test {

std::map<std::string, std::map<std::string, Fired>>& coverage() {
  static std::map<std::string, std::map<std::string, Fired>> all;
  return all;
}

void cover(const char* algorithm, const Detector& detector) {
  auto& rules = coverage()[algorithm];
  detector.for_each_stat([&](const Stat& s) {
    Fired& f = rules[s.name];
    f.outside += s.outside;
    f.sampling += s.sampling;
    f.split = s.split;
  });
}

namespace {

// Rules with a meaning only inside, or only outside, a sampling period.
const std::set<std::string> kOnlySampling = {"copy deep (7.1)", "increment (7.3)",
                                             "sampling begins (5.1)", "sampling ends (5.2)",
                                             "slot migrated"};
const std::set<std::string> kOnlyOutside = {"copy shallow (7.1)", "increment, timeless (7.2)",
                                            "reads, fast path", "writes, fast path"};

}  // namespace

int print_coverage() {
  int missing = 0;
  std::printf("\nRule coverage%52s%14s\n", "outside", "sampling");
  for (const auto& [algorithm, rules] : coverage()) {
    for (const auto& [rule, fired] : rules) {
      const bool want_outside = !fired.split || kOnlySampling.count(rule) == 0;
      const bool want_sampling = fired.split && kOnlyOutside.count(rule) == 0;
      const bool bad =
          (want_outside && fired.outside == 0) || (want_sampling && fired.sampling == 0);
      missing += bad ? 1 : 0;
      auto column = [](bool want, std::uint64_t n) {
        return want ? std::to_string(n) : std::string("-");
      };
      std::printf("  %-10s %-42s %10s %13s%s\n", algorithm.c_str(), rule.c_str(),
                  column(want_outside, fired.outside).c_str(),
                  column(want_sampling, fired.sampling).c_str(), bad ? "   NEVER FIRED" : "");
    }
  }
  return missing;
}

}  // namespace steward::test
