// Which rules of the papers' tables the tests have fired. Printed at the end of a test run; a rule
// that never fired fails it.
#pragma once

#include <map>
#include <string>

#include "core/detector/detector.h"

namespace steward {
class Generic;
class FastTrack;
class Pacer;
class PeriodicPacer;
class LiteRace;
class Lockset;
}  // namespace steward

namespace steward::test {

struct Fired {
  std::uint64_t outside = 0;
  std::uint64_t sampling = 0;
  bool split = false;
};
// algorithm -> rule -> how often
std::map<std::string, std::map<std::string, Fired>>& coverage();

template <class Algorithm>
constexpr const char* algorithm_name() {
  if constexpr (std::is_same_v<Algorithm, Generic>) return "generic";
  if constexpr (std::is_same_v<Algorithm, FastTrack>) return "fasttrack";
  if constexpr (std::is_same_v<Algorithm, LiteRace>) return "literace";
  if constexpr (std::is_same_v<Algorithm, Lockset>) return "lockset";
  return "pacer";
}

void cover(const char* algorithm, const Detector& detector);

template <class Algorithm>
void cover(const Detector& detector) {
  cover(algorithm_name<Algorithm>(), detector);
}

// Prints the table; the number of rules that never fired.
int print_coverage();

}  // namespace steward::test
