#include "cli/analyze.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>

#include "cli/analyze_json.h"
#include "cli/analyze_pass.h"
#include "cli/analyze_result.h"
#include "cli/analyze_text.h"
#include "cli/exit_code.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "trace/reader.h"

#include "analyze/spec.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(Find the data races in a trace.

Every detector given sees the same single pass over TRACE, which may be text or binary and of any
length. Exit code: 0 no race, 66 races, 1 a trace that is broken, cut short or infeasible (the
races found until then are printed), 2 wrong usage.)";

struct Options {
  std::string trace;
  std::string detectors = "fasttrack";
  std::optional<std::uint64_t> seed;
  std::uint64_t max_races = 50;
  bool stats = false;
  bool json = false;
  bool quiet = false;
  bool lenient = false;
  std::string color = "auto";
};

ColorWish color_wish(const Options& o) {
  if (o.color == "auto") return ColorWish::Auto;
  return o.color == "always" ? ColorWish::Always : ColorWish::Never;
}

void complain(const std::string& line) {
  fmt::print(stderr, "steward analyze: {}\n", line);
}

void warn_of(const std::vector<Complaint>& complaints) {
  for (const Complaint& c : complaints) {
    for (const std::string& line : c.first) complain("warning: " + line);
    if (const std::uint64_t more = c.count - c.first.size(); more > 0) {
      complain(fmt::format("warning: and {} more like it ({})", grouped(more), c.operation));
    }
  }
}

void explain_cut(const Pass& pass) {
  complain(*pass.cut_short);
  complain(fmt::format("the result is partial: {} before this place {} analysed{}",
                       counted(pass.events, "event"), pass.events == 1 ? "was" : "were",
                       pass.infeasible ? " (--lenient goes on past it)" : ""));
}

int exit_code_of(const AnalyzeResult& r) {
  if (r.partial()) return kExitFailed;
  return r.races.empty() ? kExitOk : kExitRaces;
}

void print(const AnalyzeResult& r, const Options& o) {
  if (o.json) {
    put(json_text(r, exit_code_of(r)));
    return;
  }
  const Style style(color_wish(o));
  if (!o.quiet) {
    std::string text = races_text(r, o.max_races, style);
    const auto add = [&text](const std::string& part) {
      if (!text.empty()) text += '\n';
      text += part;
    };
    if (r.pass->contestants.size() > 1 || o.stats) add(comparison_text(r));
    if (o.stats) add(counters_text(r));
    if (!text.empty()) put(text + '\n');
  }
  put(summary_text(r, style));
}

int analyze_trace(const Options& o) {
  auto specs = analyze::parse_specs(o.detectors).specs;
  for (analyze::DetectorSpec& spec : specs) spec.seed = o.seed.value_or(spec.seed);

  const trace::Opened in = trace::open_trace(o.trace);
  if (!in.reader) {
    complain(in.error->message);
    return kExitFailed;
  }
  Progress progress;
  const std::string name = o.trace == "-" ? "<stdin>" : o.trace;
  const Pass pass = run_pass(*in.reader, name, specs, o.lenient, progress);
  progress.clear();

  warn_of(pass.complaints);
  if (pass.cut_short) explain_cut(pass);
  const AnalyzeResult result = gather(pass, *in.reader, o.trace);
  print(result, o);
  return exit_code_of(result);
}

// What is wrong with a list of detectors, or nothing.
std::string check_detectors(const std::string& list) {
  // Thrown as --version is, since it needs no TRACE either.
  if (list == "help") throw CLI::CallForVersion(analyze::kSpecHelp, kExitOk);
  return analyze::parse_specs(list).error;
}

// CLI11 would take -1, and what is too large, for the largest number there is.
std::string check_whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return {};
  return fmt::format("expected a whole number below 2^64, found '{}'", text);
}

}  // namespace

void add_analyze(CLI::App& app, int& exit_code) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("analyze", kHelp);
  command->add_option("TRACE", o->trace, "trace to analyse, or - for standard input")->required();
  command
      ->add_option("-d,--detector", o->detectors,
                   "detectors, with commas between (default fasttrack); 'help' lists them")
      ->check(check_detectors)
      ->join(',')
      ->type_name("LIST");
  command->add_option("--seed", o->seed, "seed of every detector that samples")
      ->check(check_whole_number)
      ->type_name("N");
  command->add_option("--max-races", o->max_races, "list at most N races")
      ->check(check_whole_number)
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--stats", o->stats, "print the comparison and every detector's counters");
  command->add_flag("--json", o->json, "print all of it as JSON");
  command->add_flag("-q,--quiet", o->quiet, "print the summary line only");
  command->add_flag("--lenient", o->lenient, "warn of infeasible events and go on");
  command
      ->add_option("--color", o->color, "colour of the text: auto (on a terminal), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  command->footer(std::string("Detectors:\n") + analyze::kSpecHelp);
  command->callback([o, &exit_code] { exit_code = analyze_trace(*o); });
}

}  // namespace steward::cli
