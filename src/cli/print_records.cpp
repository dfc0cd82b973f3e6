#include "cli/print_records.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/run_output.h"
#include "report/embed_sources.h"
#include "report/record_files.h"

namespace steward::cli {

namespace {

constexpr const char* kHelp = R"(Print the report of a file of raw records.

Options come from STEWARD_OPTIONS and TSAN_OPTIONS; 'steward run --help-options' lists them.)";

struct Arguments {
  std::string file;
  std::string json;
  int target_exit = 0;
  bool remove = false;
};

int print(const Arguments& a) {
  const auto complain = [](int code, const std::string& line) {
    fmt::print(stderr, "steward print-records: {}\n", line);
    return code;
  };
  Options o;
  const auto from = [&](const char* variable, OptionSource source) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return;
    for (const std::string& line : apply_options(text, source, o)) complain(0, line);
  };
  from("TSAN_OPTIONS", OptionSource::Tsan);
  from("STEWARD_OPTIONS", OptionSource::Steward);

  report::RecordFile file(a.file, a.file);
  if (!file.open()) {
    return complain(kExitFailed, fmt::format("{}: {}", a.file, std::strerror(file.error())));
  }
  report::Suppressions suppressions;
  std::vector<std::string> warnings;
  std::string failed;
  // A report with too much in it is better than none.
  if (!o.suppressions.empty()) {
    failed = load_suppressions({o.suppressions}, a.file, suppressions, warnings);
  }
  if (!failed.empty()) complain(0, failed);
  for (const std::string& line : warnings) complain(0, line);

  RunOutput output;
  if (failed = output.open(o, a.json); !failed.empty()) return complain(kExitFailed, failed);
  const auto symbolizer =
      o.symbolize ? report::open_symbolizer(symbolize_options(o)) : report::no_symbolizer();
  report::Collector collector(*symbolizer, suppressions, *report::merge_named(o.merge));
  while (file.read(collector, [&](const report::News& news) { output.news(news); })) {
  }
  file.close(collector);
  if (!a.json.empty()) report::embed_sources(collector.report());
  failed = output.finish(collector.report(), suppressions);
  if (a.remove) ::unlink(a.file.c_str());
  if (!failed.empty()) return complain(kExitFailed, failed);
  return exit_code_for(a.target_exit, collector.report(), o);
}

}  // namespace

void add_print_records(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("print-records", kHelp)->group("");
  command->add_option("FILE", a->file, "raw records")->required();
  command->add_option("--json", a->json,
                      "write the report as JSON to a file, or - for standard output");
  command->add_option("--target-exit", a->target_exit, "exit code the program itself ended with");
  command->add_flag("--remove", a->remove, "remove FILE when it was printed");
  command->callback([a, &exit_code] { exit_code = print(*a); });
}

}  // namespace steward::cli
