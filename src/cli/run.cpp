#include "cli/run.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/openmp.h"
#include "cli/options.h"
#include "cli/program_words.h"
#include "cli/rate.h"
#include "cli/run_check.h"
#include "cli/run_folder.h"
#include "cli/run_output.h"
#include "cli/run_target.h"
#include "cli/runtime_library.h"
#include "cli/target_environment.h"
#include "report/embed_sources.h"
#include "report/record_files.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp =
    R"(Run a program built with -fsanitize=thread and report its data races.

Build the program with 'steward cc' and 'steward c++', or with any compiler's -fsanitize=thread
(clang: and -shared-libsan). Races are printed on standard error as they are found.)";

constexpr const char* kFooter = R"(
Exit codes: the program's own; 66 (--exitcode) if it was 0 and races were reported; 128+N if the
program was killed by signal N; 126 or 127 if it cannot be run; 1 if it cannot be checked, or a
report cannot be written; 2 wrong usage.)";

struct Arguments {
  std::string json;
  std::optional<std::string> tool;
  std::optional<std::string> sample;
  std::optional<int> seed;
  std::optional<std::string> barrier;
  std::optional<int> block;
  std::vector<std::string> exclude_threads;
  std::vector<std::string> suppressions;
  std::optional<std::string> report_style;
  std::optional<std::string> log;
  std::optional<std::string> merge;
  std::optional<std::string> color;
  std::optional<int> exitcode;
  bool stats = false;
  bool no_color = false;
  bool force = false;
  bool print_suppressions = false;
  bool help_options = false;
  std::vector<std::string> command;
};

void add_options(CLI::App& app, Arguments& a) {
  app.add_option("--json", a.json, "write the report as JSON to a file, or - for standard output");
  app.add_option("--report-style", a.report_style, "text, or tsan for ThreadSanitizer's form")
      ->check(CLI::IsMember({"text", "tsan"}));
  app.add_option("--exitcode", a.exitcode, "exit code when races were reported (default: 66)")
      ->check(CLI::Range(0, 255));
  app.add_option("--suppressions", a.suppressions, "file of races not to report; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--print-suppressions", a.print_suppressions, "print how often each matched");
  app.add_option("--merge", a.merge, "which races are one: same stack, top frames or location")
      ->check(CLI::IsMember({"stack", "top", "location"}));
  app.add_option("--sample", a.sample,
                 "check that share of the work, 0% to 100% (PACER): a race is found with that "
                 "probability, at a cost in proportion");
  app.add_option("--seed", a.seed, "sample the same each time (pacer, literace)");
  app.add_option("--tool", a.tool,
                 "detector: fasttrack (default); pacer, which samples; literace, which samples "
                 "code that is seldom run, for comparison; lockset, which checks that a lock is "
                 "common to all threads");
  app.add_option("--barrier", a.barrier,
                 "when a heap block escapes (lockset): as another thread reads a pointer to it "
                 "(read, default), or as one is stored where others reach it (write)")
      ->check(CLI::IsMember({"read", "write"}));
  app.add_option("--block", a.block,
                 "divide heap blocks into sub-blocks of so many bytes (lockset; default: 0, not)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--exclude-thread", a.exclude_threads,
                 "leave out the accesses of threads of this name (lockset); repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--log", a.log, "write the report to a file instead of standard error");
  app.add_flag("--stats", a.stats, "print the detector's counters at the end");
  app.add_option("--color", a.color, "auto (default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--no-color", a.no_color, "the same as --color never");
  app.add_flag("--force", a.force, "run a program that was not built with -fsanitize=thread");
  app.add_flag("--help-options", a.help_options, "list the options of STEWARD_OPTIONS");
}

// Where nobody reads any more, it is not said.
void tell(const std::string& line) {
  (void)write_all(STDERR_FILENO, line + "\n");
}
int complain(int code, const std::string& line) {
  tell("steward run: " + line);
  return code;
}

int usage_error(const std::string& line) {
  return cli::usage_error("steward run", line);
}

Options gather_options(const Arguments& a) {
  Options o;
  const auto from = [&](const char* variable, OptionSource source) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return;
    for (const std::string& line : apply_options(text, source, o)) complain(0, line);
  };
  from("TSAN_OPTIONS", OptionSource::Tsan);
  from("STEWARD_OPTIONS", OptionSource::Steward);
  if (a.exitcode) o.exitcode = *a.exitcode;
  if (a.report_style) o.report_style = *a.report_style;
  if (a.merge) o.merge = *a.merge;
  if (a.log) o.log_path = *a.log;
  if (a.color) o.color = *a.color;
  if (a.no_color) o.color = "never";
  if (a.sample) o.sample = *a.sample;
  if (a.seed) o.sample_seed = *a.seed;
  if (a.barrier) o.lockset_barrier = *a.barrier;
  if (a.block) o.lockset_block = *a.block;
  for (std::string name : a.exclude_threads) {
    // In the runtime's options a blank, a comma and a colon end a value, and a bar a name.
    for (char& c : name) {
      if (std::strchr(" ,:|", c) != nullptr) c = '?';
    }
    o.lockset_exclude += (o.lockset_exclude.empty() ? "" : "|") + name;
  }
  o.stats = o.stats || a.stats;
  o.print_suppressions = o.print_suppressions || a.print_suppressions;
  return o;
}

std::map<std::string, std::string> target_environment(const Options& o, const std::string& library,
                                                      const std::string& records) {
  Options told = o;
  // Only we know what is suppressed: with suppressions it is us who stop the target.
  told.halt_on_error = o.halt_on_error && o.suppressions.empty();
  return tool_environment(library, records, runtime_options(told));
}

std::string current_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// Nothing is known of its races, which must not look like nothing was found.
int nothing_told(const std::string& program, const std::string& why, int own) {
  tell(fmt::format("steward: {}: {}; nothing was checked", program, why));
  return own != 0 ? own : kExitFailed;
}

// A file of records without any: it could be made and not be written.
std::string why_nothing(const report::RecordFolder& records, bool started, bool is_script) {
  if (records.has_files() && !started) {
    return fmt::format("its records could not be written to {} (disk full? TMPDIR can be another)",
                       records.path());
  }
  return is_script ? "no program built with -fsanitize=thread was started by it"
                   : "the runtime was never loaded into it (a set-uid program, or one that clears "
                     "LD_PRELOAD?)";
}

int run(const Arguments& a) {
  Options o = gather_options(a);
  const std::optional<double> rate = rate_named(o.sample);
  if (!rate) {
    return usage_error(
        fmt::format("'{}' is no sampling rate; say 0% to 100%, or 0 to 1", o.sample));
  }
  const std::string tool = a.tool.value_or(a.sample || *rate < 1 ? kSamplingTool : kDefaultTool);
  if (a.sample && tool != kSamplingTool) {
    return usage_error(fmt::format(
        "--sample is the rate of {}; {} {}; leave out --tool, or --sample", kSamplingTool, tool,
        tool == kDefaultTool ? "checks every access" : "has none"));
  }
  if ((a.barrier || a.block || !a.exclude_threads.empty()) && tool != kLocksetTool) {
    return usage_error(fmt::format(
        "--barrier, --block and --exclude-thread are of {}; add --tool {}, or leave them out",
        kLocksetTool, kLocksetTool));
  }
  const std::string tool_folder = library_folder(tool);
  if (tool_folder.empty()) return complain(kExitFailed, no_such_tool(tool));
  const std::string& program = a.command[0];
  const Checked checked = check_program(program, a.force);
  if (checked.refusal) return complain(checked.refusal->exit_code, checked.refusal->line);

  report::Suppressions suppressions;
  std::vector<std::string> files = a.suppressions;
  if (!o.suppressions.empty()) files.push_back(o.suppressions);
  std::vector<std::string> warnings;
  const std::string bad = load_suppressions(files, checked.path, suppressions, warnings);
  if (!bad.empty()) return complain(kExitFailed, bad);
  for (const std::string& line : warnings) complain(0, line);
  if (!files.empty()) o.suppressions = files[0];
  const OpenMp openmp = look_for_openmp(checked.path);
  if (const std::string line = say(openmp); !line.empty()) complain(0, line);

  RunOutput output;
  if (const std::string failed = output.open(o, a.json); !failed.empty()) {
    return complain(kExitFailed, failed);
  }
  RunFolder folder;
  if (const std::string failed = folder.make(); !failed.empty()) {
    return complain(kExitFailed, failed);
  }

  const auto symbolizer =
      o.symbolize ? report::open_symbolizer(symbolize_options(o)) : report::no_symbolizer();
  report::Collector collector(*symbolizer, suppressions, *report::merge_named(o.merge));
  report::RecordFolder records(folder.path());
  auto environment =
      target_environment(o, plain_library_folder(tool_folder, folder.path()), records.prefix());
  tell_order(openmp, environment);
  if (o.verbosity > 0) {
    for (const auto& [key, value] : environment) fmt::print(stderr, "steward: {}={}\n", key, value);
  }

  const auto begin = std::chrono::steady_clock::now();
  const std::string started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  TargetEnd end;
  bool stopped = false;
  {
    Target target;
    if (const int error = target.start(checked.path, a.command, environment)) {
      return complain(error == ENOENT ? kExitNotFound : kExitCannotExecute,
                      fmt::format("{}: {}", program, std::strerror(error)));
    }
    // Whoever reads our reports may leave early; the target goes on.
    std::signal(SIGPIPE, SIG_IGN);
    const auto listener = [&](const report::News& news) {
      output.news(news);
      if (!o.halt_on_error || news.race == nullptr) return;
      target.stop();
      stopped = true;
    };
    end = target.wait(folder.path(), [&] { records.read(collector, listener); });
    while (records.read(collector, [&](const report::News& news) { output.news(news); })) {
    }
  }
  records.close(collector);

  report::Report& report = collector.report();
  report.version = STEWARD_VERSION;
  report.run = {a.command,
                end.exit_code,
                end.signal,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                current_folder(),
                started,
                host_name()};
  if (!a.json.empty()) report::embed_sources(report);
  if (report.tool.empty()) report.tool = tool;
  report.settings = {{"options", runtime_options(o)}};
  int code = end.signal ? 128 + *end.signal : end.exit_code.value_or(0);
  if (stopped) {
    tell(fmt::format("steward: {} was stopped at its first race (halt_on_error)", program));
    code = 0;
  } else if (end.signal) {
    tell(fmt::format("steward: {} was killed by {}{}", program, signal_name(*end.signal),
                     end.core_dumped ? " (core dumped)" : ""));
  }
  const std::string unwritten = output.finish(report, suppressions);
  const bool looked = checked.is_script ? collector.checked() : collector.started();
  if (!looked && !a.force) {
    code =
        nothing_told(program, why_nothing(records, collector.started(), checked.is_script), code);
  }
  code = exit_code_for(code, report, o);
  if (!unwritten.empty()) {
    complain(0, unwritten);
    if (code == 0 || code == o.exitcode) code = kExitFailed;
  }
  return code;
}

}  // namespace

void add_run(CLI::App& app, int&) {
  // For the list of commands, the manual and completion; run_main parses.
  static Arguments unused;
  CLI::App* command = app.add_subcommand("run", kHelp);
  add_options(*command, unused);
  command->add_option("PROGRAM", unused.command, "the program and its arguments");
  command->footer(kFooter);
}

int run_main(int argc, char** argv) {
  Arguments a;
  ProgramCommand words("run", kHelp, kFooter);
  add_options(words.app(), a);
  if (const auto code = words.parse(argc, argv, a.command)) return *code;
  if (a.help_options) {
    fmt::print("{}", options_help());
    return kExitOk;
  }
  if (a.command.empty()) return usage_error("which program?");
  return run(a);
}

}  // namespace steward::cli
