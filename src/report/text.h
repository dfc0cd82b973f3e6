// A report for a person: a race is at most a screen, its first line says what is wrong.
#pragma once

#include <string>

#include "report/model.h"
#include "report/source_lines.h"
#include "report/suppress.h"

namespace steward::report {

struct TextOptions {
  bool color = false;
  bool all_frames = false;  // however many there are
  bool source = true;       // show the lines
};

class TextPrinter {
 public:
  explicit TextPrinter(TextOptions options, Sources embedded = {})
      : options_(options), source_(std::move(embedded)) {}

  // `of`: the merged report it is of, whose runs it is compared with.
  std::string race(const Race& race, const Report* of = nullptr);
  std::string message(const Message& message) const;

 private:
  // How much of what is shown, so that a race fits on a screen.
  struct Limits {
    std::size_t access = 7;  // frames
    std::size_t other = 3;   // frames of allocations, locks, threads
    std::size_t evidence = 6;
    std::size_t locks = 4;
  };

  std::string whole(const Race& race, const Report* of);
  std::string headline(const Race& race) const;
  std::string verdict(const Race& race) const;
  std::string seen(const Race& race, const Report& of) const;
  std::string access(const Race& race, std::size_t index);
  std::string frames(const Stack& stack, std::size_t limit, bool with_source);
  Stack programs(const Stack& stack) const;
  std::string snippet(const Frame& frame);
  std::string memory(const Race& race);
  std::string locks(const Race& race);
  std::string threads(const Race& race);

  std::string paint(const char* code, std::string text) const;

  TextOptions options_;
  Limits limits_;
  SourceLines source_;
};

std::string text_report(const Report& report, TextOptions options);

// What is said once, at the end: how many races, what was suppressed, what is missing.
std::string closing_text(const Report& report);
std::string suppressions_text(const Suppressions& suppressions);
std::string stats_text(const Report& report);

// "file:line in function", for one-line summaries.
std::string summary_place(const Race& race);

}  // namespace steward::report
