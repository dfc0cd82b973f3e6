#include "cli/classify_reports.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/collect.h"

namespace steward::cli {

namespace {

using nlohmann::json;

report::Stack stack_from(const json& frames) {
  report::Stack out;
  for (const json& f : frames) {
    report::Frame one;
    one.function = f.value("function", "");
    one.file = f.value("file", "");
    one.line = f.value("line", 0u);
    one.column = f.value("column", 0u);
    one.module = f.value("module", "");
    out.push_back(std::move(one));
  }
  return out;
}

report::MemoryKind kind_from(const std::string& text) {
  for (const auto kind : {report::MemoryKind::Heap, report::MemoryKind::Global,
                          report::MemoryKind::Stack, report::MemoryKind::Tls}) {
    if (text == name(kind)) return kind;
  }
  return report::MemoryKind::Unknown;
}

report::Race race_from(const json& r) {
  report::Race race;
  race.fingerprint = r.value("fingerprint", "");
  for (const json& a : r.at("accesses")) {
    report::Access access;
    access.stack = stack_from(a.at("stack"));
    access.size = a.value("size", 0u);
    race.accesses.push_back(std::move(access));
  }
  if (const auto m = r.find("memory"); m != r.end()) {
    race.memory.kind = kind_from(m->value("kind", ""));
    race.memory.symbol = m->value("symbol", "");
    race.memory.size = m->value("size", std::uint64_t{0});
    if (const auto s = m->find("stack"); s != m->end()) race.memory.stack = stack_from(*s);
  }
  return race;
}

}  // namespace

std::optional<report::Report> read_report(const std::string& path, std::string& error) {
  std::ifstream in(path);
  if (!in) {
    error = fmt::format("{} cannot be read", path);
    return std::nullopt;
  }
  try {
    const json whole = json::parse(in);
    report::Report report;
    for (const json& r : whole.at("races")) report.races.push_back(race_from(r));
    return report;
  } catch (const json::exception&) {
    error = fmt::format("{} is no report that 'steward run --json' wrote", path);
    return std::nullopt;
  }
}

void Detection::add(const std::vector<std::string>& records) {
  report::Suppressions none;
  report::Collector collector(symbolizer_, none, report::Merge::ByTop);
  report::Collector::Source source("records");
  for (const std::string& line : records) collector.take(source, line);
  for (report::Race& race : collector.report().races) {
    const std::string key = report::merge_key(race, report::Merge::ByTop);
    const bool known =
        std::any_of(report_.races.begin(), report_.races.end(), [&](const report::Race& r) {
          return report::merge_key(r, report::Merge::ByTop) == key;
        });
    if (!known) report_.races.push_back(std::move(race));
  }
}

report::Modules modules_of(const std::vector<std::string>& records) {
  report::Modules modules;
  for (const std::string& line : records) {
    const report::ParsedLine parsed = report::parse_record(line);
    if (!parsed.record) continue;
    if (const auto* m = std::get_if<report::ModuleRecord>(&*parsed.record)) modules.add(*m);
  }
  return modules;
}

}  // namespace steward::cli
