#include "cli/run_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/sampling_text.h"
#include "cli/terminal.h"
#include "report/json.h"
#include "report/phrases.h"
#include "report/tsan.h"

namespace steward::cli {

RunOutput::~RunOutput() {
  if (own_fd_) ::close(fd_);
  if (json_fd_ >= 0 && json_ != "-") ::close(json_fd_);
}

std::string RunOutput::open(const Options& options, const std::string& json) {
  options_ = options;
  json_ = json;
  if (options.log_path == "stdout") {
    fd_ = STDOUT_FILENO;
  } else if (!options.log_path.empty() && options.log_path != "stderr") {
    fd_ = open_for_writing(options.log_path);
    if (fd_ < 0) {
      fd_ = STDERR_FILENO;
      return fmt::format("{}: {}", options.log_path, std::strerror(errno));
    }
    own_fd_ = true;
  }
  if (!json.empty()) {
    json_fd_ = json == "-" ? STDOUT_FILENO : open_for_writing(json);
    if (json_fd_ < 0) return fmt::format("{}: {}", json, std::strerror(errno));
  }
  text_ =
      report::TextPrinter({wants_color(color_named(options.color).value_or(ColorWish::Auto), fd_),
                           options.verbosity > 0, true});
  return {};
}

void RunOutput::write(const std::string& text) {
  if (text.empty() || !failure_.empty()) return;
  if (const int error = write_all(fd_, text)) {
    failure_ =
        fmt::format("{}: {}", own_fd_ ? options_.log_path : "<report>", std::strerror(error));
  }
}

void RunOutput::news(const report::News& news) {
  if (!options_.report_bugs) return;
  const bool tsan = options_.report_style == "tsan";
  if (news.message != nullptr) {
    write(tsan ? report::tsan_message(*news.message) : text_.message(*news.message));
  }
  if (news.race == nullptr) return;
  ++races_;
  if (options_.max_reports > 0 && races_ > static_cast<std::uint64_t>(options_.max_reports)) return;
  write(tsan ? report::tsan_race(*news.race) : text_.race(*news.race));
}

std::string RunOutput::finish(const report::Report& report,
                              const report::Suppressions& suppressions) {
  if (options_.report_bugs) {
    const auto shown = static_cast<std::uint64_t>(std::max(options_.max_reports, 0));
    if (shown != 0 && races_ > shown) {
      write(fmt::format("steward: {} more races are not shown (max_reports={}); --json has all\n",
                        races_ - shown, shown));
    }
    if (options_.report_style == "tsan") write(report::tsan_closing(report));
    write(report::closing_text(report));
    if (own_fd_ && !report.races.empty()) {
      // Whether anybody reads it makes no difference.
      (void)write_all(STDERR_FILENO, fmt::format("steward: {}: see {}\n",
                                                 report::findings_text(report), options_.log_path));
    }
  }
  if (options_.print_suppressions) write(report::suppressions_text(suppressions));
  if (options_.stats) {
    write(report::stats_text(report));
    if (report.sampling) write(sampling_text(*report.sampling));
  }
  if (json_fd_ >= 0) {
    if (const int error = write_all(json_fd_, report::json_report(report, suppressions))) {
      return fmt::format("{}: {}", json_ == "-" ? "<stdout>" : json_, std::strerror(error));
    }
  }
  return failure_;
}

std::string load_suppressions(const std::vector<std::string>& files, const std::string& program,
                              report::Suppressions& to, std::vector<std::string>& warnings) {
  for (const std::string& file : files) {
    std::string text;
    int error = read_all(file, text);
    // ThreadSanitizer looks beside the program too.
    const auto beside = std::filesystem::path(program).parent_path() / file;
    if (error == ENOENT && read_all(beside.string(), text) == 0) error = 0;
    if (error != 0) return fmt::format("suppressions: {}: {}", file, std::strerror(error));
    for (std::string& line : to.parse(text, file)) warnings.push_back(std::move(line));
  }
  return {};
}

report::SymbolizeOptions symbolize_options(const Options& options) {
  const bool external = options.external_symbolizer_path != "libdw";
  return {external ? options.external_symbolizer_path : "", external, options.strip_path_prefix};
}

int exit_code_for(int own, const report::Report& report, const Options& options) {
  const bool races = !report.races.empty() && options.report_bugs;
  return own == 0 && races ? options.exitcode : own;
}

}  // namespace steward::cli
