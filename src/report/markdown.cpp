#include "report/markdown.h"

#include <fmt/format.h>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/text.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

// GitHub cuts a comment at 64 KB; what is beyond has its row in the table.
constexpr std::size_t kFolds = 30;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_|[]#").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string top_place(const Access& access) {
  if (access.stack.empty()) return "?";
  const Frame& f = access.stack[0];
  Frame shown = f;
  shown.file = relative(f.file);
  shown.column = 0;
  const std::string place = place_text(shown);
  return place.empty() ? readable_function(f) : place;
}

std::string status(const Race& race) {
  std::string out = race.novelty == Novelty::New ? "**new** " : "";
  if (race.verdict) out += name(race.harm());
  return out.empty() ? "&nbsp;" : out;
}

std::string row(const Race& race, const Report& report) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", race.fingerprint.substr(0, 8),
                     status(race), escaped(memory_text(race)), escaped(top_place(race.accesses[0])),
                     escaped(top_place(race.accesses[1])),
                     report.runs() > 1 ? fmt::format("{} of {}", race.runs_seen(), report.runs())
                                       : fmt::format("{}", race.count));
}

// A fence longer than any row of backticks in the text.
std::string fenced(const std::string& text) {
  std::size_t longest = 2;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{0}\n{1}{0}\n", fence, text);
}

}  // namespace

std::string markdown_report(const Report& report) {
  std::string out = fmt::format("## Steward: {}\n\n", overview_text(report));
  if (const std::string gone = gone_text(report); !gone.empty()) out += gone + ".\n\n";
  if (report.incomplete) out += "The report is incomplete: there may be more races.\n\n";
  for (const std::string& line : report.problems) out += fmt::format("- {}\n", escaped(line));
  if (report.races.empty()) return out;
  out += fmt::format("| race | | on | access | earlier access | {} |\n|---|---|---|---|---|---|\n",
                     report.runs() > 1 ? "runs" : "times");
  for (const Race& race : report.races) out += row(race, report);
  TextPrinter printer({}, report.sources);
  for (std::size_t i = 0; i < std::min(kFolds, report.races.size()); ++i) {
    const Race& race = report.races[i];
    out += fmt::format("\n<details><summary><code>{}</code> {}; {}</summary>\n\n",
                       race.fingerprint.substr(0, 8), escaped(what_text(race)),
                       escaped(cause_text(race)));
    out += fenced(printer.race(race, &report));
    out += "\n</details>\n";
  }
  if (report.races.size() > kFolds) {
    out += fmt::format("\n{} more races are in the table only.\n", report.races.size() - kFolds);
  }
  return out;
}

}  // namespace steward::report
