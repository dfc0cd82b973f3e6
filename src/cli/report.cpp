#include "cli/report.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/report_input.h"
#include "cli/run_output.h"
#include "cli/terminal.h"
#include "report/embed_sources.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/merge_runs.h"
#include "report/phrases.h"
#include "report/sarif.h"
#include "report/text.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp =
    R"(Merge the reports of many runs into one, and show it as text, HTML, SARIF, Markdown or JSON.

FILE is a report of 'steward run --json' or of an earlier 'steward report --format json', raw
records of a program that was killed, or a folder of either. The same race has the same fingerprint
in every run and, as long as its functions stay as they are, in every build.)";

constexpr const char* kFooter = R"(
Exit codes: 66 if there are races (with --baseline: new ones; with --fail-on destructive: such);
else 0; 1 if a FILE cannot be read or a report cannot be written; 2 wrong usage.)";

struct Arguments {
  std::vector<std::string> files;
  std::string format = "text";
  std::string output = "-";
  std::string baseline;
  std::string fail_on = "race";
  std::string color = "auto";
  std::vector<std::string> suppressions;
  bool all_frames = false;
};

int complain(int code, const std::string& line) {
  fmt::print(stderr, "steward report: {}\n", line);
  return code;
}

std::string formatted(const report::Report& report, const report::Suppressions& suppressions,
                      const Arguments& a, bool color) {
  if (a.format == "json") return report::json_report(report, suppressions);
  if (a.format == "html") return report::html_report(report);
  if (a.format == "sarif") return report::sarif_report(report);
  if (a.format == "markdown") return report::markdown_report(report);
  return report::text_report(report, {color, a.all_frames, true});
}

bool fails(const report::Report& report, const Arguments& a) {
  if (a.fail_on == "nothing") return false;
  return std::any_of(report.races.begin(), report.races.end(), [&](const report::Race& race) {
    const bool counts = a.fail_on != "destructive" || race.harm() == report::Harm::Destructive;
    return counts && race.novelty != report::Novelty::Known;
  });
}

// What could not be written; empty: all was.
std::string write_report(const std::string& text, const std::string& output) {
  const int fd = output == "-" ? STDOUT_FILENO : open_for_writing(output);
  int error = fd < 0 ? errno : write_all(fd, text);
  if (fd >= 0 && output != "-" && ::close(fd) != 0 && error == 0) error = errno;
  if (error == 0) return {};
  return fmt::format("{}: {}", output == "-" ? "<stdout>" : output, std::strerror(error));
}

int make_report(const Arguments& a) {
  std::vector<ReportInput> inputs;
  if (const std::string bad = list_inputs(a.files, inputs); !bad.empty()) {
    return complain(kExitFailed, bad);
  }
  report::Suppressions suppressions;
  std::vector<std::string> warnings;
  if (const std::string bad = load_suppressions(a.suppressions, {}, suppressions, warnings);
      !bad.empty()) {
    return complain(kExitFailed, bad);
  }
  for (const std::string& line : warnings) complain(0, line);

  std::vector<std::string> unreadable;
  const auto failed = [&](const std::string& line) {
    complain(0, line);
    unreadable.push_back(line);
  };
  report::RunMerger merger;
  std::size_t reports = 0;
  read_inputs(
      inputs,
      [&](report::Report report) {
        ++reports;
        std::erase_if(report.races, [&](const report::Race& race) {
          if (!suppressions.matches(race)) return false;
          report.suppressed += race.count;
          return true;
        });
        merger.add(std::move(report));
      },
      failed);
  if (reports == 0) return kExitFailed;
  report::Report merged = merger.finish();
  merged.problems.insert(merged.problems.end(), unreadable.begin(), unreadable.end());
  merged.incomplete = merged.incomplete || !unreadable.empty();

  if (!a.baseline.empty()) {
    report::RunMerger old;
    bool usable = true;
    std::vector<ReportInput> files;
    if (const std::string bad = list_inputs({a.baseline}, files); !bad.empty()) {
      return complain(kExitFailed, bad);
    }
    read_inputs(
        files, [&](report::Report report) { old.add(std::move(report)); },
        [&](const std::string& line) {
          complain(0, "baseline: " + line);
          usable = false;
        });
    if (!usable) return kExitFailed;
    report::compare(merged, old.finish());
  }

  report::embed_sources(merged);
  const bool color = a.output == "-" && wants_color(*color_named(a.color), STDOUT_FILENO);
  const std::string bad = write_report(formatted(merged, suppressions, a, color), a.output);
  if (!bad.empty()) return complain(kExitFailed, bad);
  if (a.output != "-" || a.format != "text") {
    fmt::print(stderr, "steward: {}{}{}\n", report::overview_text(merged),
               a.output == "-" ? "" : ": see ", a.output == "-" ? "" : a.output);
  }
  if (fails(merged, a)) return kExitRaces;
  return unreadable.empty() ? kExitOk : kExitFailed;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("report", kHelp);
  command->footer(kFooter);
  command->add_option("FILE", a->files, "reports, records or folders of them")->required();
  command->add_option("-f,--format", a->format, "text (default), html, sarif, markdown or json")
      ->check(CLI::IsMember({"text", "html", "sarif", "markdown", "json"}));
  command->add_option("-o,--output", a->output, "file to write; default: standard output");
  command->add_option("-b,--baseline", a->baseline,
                      "report of races that are known: only others make the exit code 66");
  command
      ->add_option("--fail-on", a->fail_on,
                   "what makes the exit code 66: race (default), "
                   "destructive or nothing")
      ->check(CLI::IsMember({"race", "destructive", "nothing"}));
  command->add_option("--suppressions", a->suppressions, "file of races to leave out; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--color", a->color, "auto (default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command->add_flag("--all-frames", a->all_frames, "text: show the whole of every stack");
  command->callback([a, &exit_code] { exit_code = make_report(*a); });
}

}  // namespace steward::cli
