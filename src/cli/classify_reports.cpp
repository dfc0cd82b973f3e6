#include "cli/classify_reports.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/fingerprint.h"
#include "report/frames.h"
#include "report/merge.h"

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
  race.count = r.value("count", std::uint64_t{1});
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

namespace {

// Where the two accesses are, to the column: two variables on one line are two.
std::string key_of(const report::Race& race) {
  std::string key;
  for (const report::Access& a : race.accesses) {
    if (a.stack.empty()) continue;
    key += fmt::format("{}:{}:{} ", a.stack[0].file, a.stack[0].line, a.stack[0].column);
  }
  return key;
}

}  // namespace

void Detection::add(const std::vector<std::string>& records) {
  report::Namer namer(symbolizer_);
  const report::Modules modules = modules_of(records);
  const auto named = [&](const report::RawStack& raw) {
    report::Stack stack = namer.stack(modules, raw);
    report::trim(stack);
    return stack;
  };
  for (const std::string& line : records) {
    const report::ParsedLine parsed = report::parse_record(line);
    const auto* raw = parsed.record ? std::get_if<report::RaceRecord>(&*parsed.record) : nullptr;
    if (raw == nullptr) continue;
    report::Race race;
    race.address = raw->address;
    race.size = raw->size;
    for (const report::RawAccess& a : raw->accesses) {
      race.accesses.push_back({a.kind, a.address, a.size, a.thread, named(a.stack), false, {}});
    }
    race.memory.kind = raw->memory.kind;
    race.memory.size = raw->memory.size;
    race.memory.stack = named(raw->memory.stack);
    if (race.memory.kind == report::MemoryKind::Global) {
      namer.global(modules, race.address, race.memory);
    }
    race.fingerprint = report::fingerprint(race);
    if (seen_.insert(key_of(race)).second) report_.races.push_back(std::move(race));
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
