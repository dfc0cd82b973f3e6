// The words for the parts of a race, shared by the printers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/model.h"

namespace steward::report {

// "T2 'worker'", "main thread"
std::string thread_text(const Race& race, std::uint32_t id);

// "global 'counter'", "heap block of 24 bytes", "stack of T1"
std::string memory_text(const Race& race);

// "global 'counter' of 4 bytes at 0x10, in app (app.cpp:3)"
std::string where_text(const Race& race);

// "M7: mutex at 0x10"
std::string lock_text(const Lock& lock);

// Why nothing orders the two: the locks they hold, or the one that is not atomic.
std::string cause_text(const Race& race);

// "data race on global 'counter': write by T2 in bump(int), earlier write by T1 in bump(int)"
std::string what_text(const Race& race);

std::string bytes_text(std::uint64_t n);                          // "1 byte", "4 bytes"
std::string counted(std::uint64_t n, std::string_view noun);      // "1 race", "4 races"
std::string percent_text(double share);                           // "3%", "0.25%"
std::string command_text(const std::vector<std::string>& words);  // quoted for a shell

// "seen in 12 of 100 runs"; empty: the report is of one run.
std::string seen_text(const Race& race, const Report& report);
// "happens in about 40% of runs (95%: 26% to 56%)"; empty: not known.
std::string frequency_text(const Race& race);
// "destructive: a run crashed with SIGSEGV"; empty: none.
std::string verdict_text(const Race& race);

// "3 data races (1 new, 1 destructive) in 100 runs"
std::string overview_text(const Report& report);

// What was not seen, when a baseline was given: "1 of the baseline's races was not seen; ..."
std::string gone_text(const Report& report);

// Commands a reader may want to copy.
std::string reproduce_command(const Race& race, const Report& report);
// What kind of finding it is, in two or three words.
std::string kind_text(const Race& race);
// How many of each kind a report has.
std::string findings_text(const Report& report);
// What the lockset tool knows of its finding, as lines; empty for a race.
std::string discipline_text(const Race& race);
// The same in one line: is it a race as well? Empty for a race.
std::string order_text(const Race& race);
// A rule that leaves this race out, and as little else as it can.
std::string suppression_rule(const Race& race);

}  // namespace steward::report
