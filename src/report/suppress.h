// Races the user does not want to hear of. Reads ThreadSanitizer's files as they are, and one kind
// of rule more: `race: outer -> inner` matches frames of one stack in that order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/model.h"

namespace steward::report {

// True if the pattern is found in the text. `*` stands for any text, `^` at the start and `$` at
// the end bind it to those of the text. An empty text matches nothing.
bool pattern_matches(std::string_view pattern, std::string_view text);

struct Suppression {
  enum class Kind : unsigned char { Race, RaceTop, Thread, Mutex, Signal, Deadlock, CalledFromLib };

  Kind kind{};
  std::vector<std::string> chain;  // outermost first; one pattern in all of ThreadSanitizer's rules
  std::string text;                // as written
  std::string file;
  unsigned line = 0;
  std::uint64_t hits = 0;
};

class Suppressions {
 public:
  // Adds the rules of a file. What comes back are complaints, one line each; a bad line is left
  // out.
  std::vector<std::string> parse(std::string_view text, const std::string& file);

  // Counts a hit for the first rule that matches.
  bool matches(const Race& race);
  bool matches(const Message& message);

  const std::vector<Suppression>& rules() const { return rules_; }

 private:
  std::vector<Suppression> rules_;
};

}  // namespace steward::report
