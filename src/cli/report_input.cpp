#include "cli/report_input.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

#include "cli/files.h"
#include "report/embed_sources.h"
#include "report/read_json.h"
#include "report/record_files.h"

namespace steward::cli {

namespace {

namespace fs = std::filesystem;

bool is_record_name(const std::string& name) {
  return name.size() > 2 && name.starts_with("r.") &&
         std::all_of(name.begin() + 2, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Raw records are lines; each begins so.
bool are_records(std::string_view text) {
  return text.starts_with(R"({"type":)") || text.starts_with(R"({ "type":)");
}

class RecordsReader {
 public:
  report::Report file(const std::string& path) {
    report::RecordFile file(path, path);
    return collect([&](report::Collector& collector) {
      while (file.read(collector, [](const report::News&) {})) {
      }
      file.close(collector);
    });
  }

  report::Report folder(const std::string& path) {
    report::RecordFolder folder(path);
    return collect([&](report::Collector& collector) {
      while (folder.read(collector, [](const report::News&) {})) {
      }
      folder.close(collector);
    });
  }

 private:
  template <class Read>
  report::Report collect(Read read) {
    report::Suppressions programs_own;
    report::Collector collector(*symbolizer_, programs_own, report::Merge::ByStack);
    read(collector);
    report::Report out = std::move(collector.report());
    // Nobody was there to see how it ended, or how it was started.
    if (!out.processes.empty()) out.run.command = out.processes[0].args;
    report::embed_sources(out);
    return out;
  }

  std::unique_ptr<report::Symbolizer> symbolizer_ = report::open_symbolizer({});
};

}  // namespace

std::string list_inputs(const std::vector<std::string>& paths, std::vector<ReportInput>& to) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      to.push_back({path, false});
      continue;
    }
    std::vector<std::string> reports;
    bool records = false;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const std::string name = entry.path().filename().string();
      records = records || is_record_name(name);
      if (name.ends_with(".json")) reports.push_back(entry.path().string());
    }
    if (error) return fmt::format("{}: {}", path, error.message());
    if (records) {
      to.push_back({path, true});
      continue;
    }
    if (reports.empty()) {
      return fmt::format("{}: a folder without reports (*.json) or records (r.PID)", path);
    }
    std::sort(reports.begin(), reports.end());
    for (std::string& report : reports) to.push_back({std::move(report), false});
  }
  return {};
}

void read_inputs(const std::vector<ReportInput>& inputs,
                 const std::function<void(report::Report)>& take,
                 const std::function<void(const std::string&)>& failed) {
  report::JsonReader json;
  RecordsReader records;
  std::string text;
  for (const ReportInput& input : inputs) {
    if (input.is_record_folder) {
      take(records.folder(input.path));
      continue;
    }
    text.clear();
    if (const int error = read_all(input.path, text)) {
      failed(fmt::format("{}: {}", input.path, std::strerror(error)));
      continue;
    }
    if (are_records(text)) {
      take(records.file(input.path));
      continue;
    }
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      failed(
          fmt::format("{}: empty; was 'steward run' killed before it could write? Its records "
                      "may still be in TMPDIR/steward-*, which can be given here",
                      input.path));
      continue;
    }
    report::JsonReader::Result result = json.read(text);
    if (result.report) {
      take(std::move(*result.report));
    } else {
      failed(fmt::format("{}: {}", input.path, result.error));
    }
  }
}

}  // namespace steward::cli
