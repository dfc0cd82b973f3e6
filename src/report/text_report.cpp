// A whole report for a person: every race, then what is said once.
#include <fmt/format.h>

#include "report/phrases.h"
#include "report/text.h"
#include "report/utf8.h"

namespace steward::report {

std::string text_report(const Report& report, TextOptions options) {
  TextPrinter printer(options, report.sources);
  std::string out;
  for (const Message& message : report.messages) out += printer.message(message);
  for (const Race& race : report.races) out += printer.race(race, &report);
  for (const std::string& line : report.problems) {
    out += fmt::format("steward: {}\n", printable(line));
  }
  out += fmt::format("steward: {}\n", overview_text(report));
  if (const std::string gone = gone_text(report); !gone.empty()) {
    out += fmt::format("steward: {}\n", gone);
  }
  if (report.incomplete) {
    out += "steward: the report is incomplete: there may be more races\n";
  }
  return out;
}

}  // namespace steward::report
