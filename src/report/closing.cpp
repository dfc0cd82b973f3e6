// The last words of a report.
#include <fmt/format.h>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/text.h"
#include "report/utf8.h"

namespace steward::report {

std::string summary_place(const Race& race) {
  for (const Access& access : race.accesses) {
    if (access.stack.empty()) continue;
    const Frame& top = access.stack[0];
    const std::string function = printable(readable_function(top));
    if (top.file.empty()) return fmt::format("in {}", function);
    return fmt::format("{}{} in {}", printable(relative(top.file)),
                       top.line != 0 ? fmt::format(":{}", top.line) : "", function);
  }
  return fmt::format("at {:#x}", race.address);
}

std::string closing_text(const Report& report) {
  std::string out;
  for (const std::string& line : report.problems) {
    out += fmt::format("steward: {}\n", printable(line));
  }
  if (!report.races.empty() || report.suppressed != 0) {
    out += fmt::format("steward: {}", findings_text(report));
    const std::uint64_t all = report.occurrences();
    if (all > report.races.size()) out += fmt::format(", seen {} times", all);
    if (report.suppressed != 0) out += fmt::format("; {} suppressed", report.suppressed);
    out += "\n";
    const double rate = report.sampling_rate.value_or(1);
    if (rate < 1 && report.batches.empty()) {
      out += fmt::format("steward: seen at {}: expect each about {:.0f} times as often\n",
                         percent_text(rate), 1 / rate);
    }
  }
  if (report.incomplete && !report.processes.empty()) {
    out += "steward: the report is incomplete: a process ended without its last record\n";
  }
  const auto stat = [&](const char* key) {
    const auto found = report.stats.find(key);
    return found == report.stats.end() ? 0 : static_cast<std::uint64_t>(found->second);
  };
  if (const std::uint64_t n = stat("slots_forced"); n != 0) {
    out += fmt::format(
        "steward: out of thread clocks {}: races with accesses of long ago may have "
        "been missed\n",
        counted(n, "time"));
  }
  if (const std::uint64_t n = stat("threads_unchecked"); n != 0) {
    out += fmt::format("steward: {} not checked: too many at once\n",
                       n == 1 ? "1 thread was" : fmt::format("{} threads were", n));
  }
  return out;
}

std::string suppressions_text(const Suppressions& suppressions) {
  std::string out = "steward: matches of suppressions:\n";
  for (const Suppression& rule : suppressions.rules()) {
    out += fmt::format("{:>8} {} ({}:{})\n", rule.hits, printable(rule.text), printable(rule.file),
                       rule.line);
  }
  return suppressions.rules().empty() ? "steward: there are no suppressions\n" : out;
}

std::string stats_text(const Report& report) {
  if (report.stats.empty()) return "steward: no statistics were recorded\n";
  std::size_t width = 0;
  for (const auto& [key, value] : report.stats) width = std::max(width, key.size());
  std::string out = "steward: statistics:\n";
  for (const auto& [key, value] : report.stats) {
    out += fmt::format("  {:<{}}  {}\n", printable(key), width, value);
  }
  return out;
}

}  // namespace steward::report
