#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace steward::report {

namespace {

using json = nlohmann::ordered_json;

std::string hex(Address address) {
  return fmt::format("{:#x}", address);
}

json frame_json(const Frame& f) {
  json out = json::object();
  if (!f.function.empty()) out["function"] = f.function;
  if (!f.file.empty()) out["file"] = f.file;
  if (f.line != 0) out["line"] = f.line;
  if (f.column != 0) out["column"] = f.column;
  if (!f.module.empty()) {
    out["module"] = f.module;
    out["offset"] = hex(f.offset);
  }
  out["pc"] = hex(f.pc);
  out["inlined"] = f.inlined;
  return out;
}

json stack_json(const Stack& stack) {
  json out = json::array();
  for (const Frame& f : stack) out.push_back(frame_json(f));
  return out;
}

json access_json(const Access& a) {
  return {{"kind", name(a.kind)},        {"size", a.size},   {"address", hex(a.address)},
          {"thread", a.thread},          {"locks", a.locks}, {"stack_lost", a.stack_lost},
          {"stack", stack_json(a.stack)}};
}

json memory_json(const Memory& m) {
  json out = {{"kind", name(m.kind)}};
  if (m.begin != 0) out["begin"] = hex(m.begin);
  if (m.size != 0) out["size"] = m.size;
  if (m.thread) out["thread"] = *m.thread;
  if (m.fd >= 0) out["fd"] = m.fd;
  if (!m.symbol.empty()) out["symbol"] = m.symbol;
  if (!m.module.empty()) out["module"] = m.module;
  if (!m.file.empty()) out["file"] = m.file;
  if (m.line != 0) out["line"] = m.line;
  if (!m.stack.empty()) out["stack"] = stack_json(m.stack);
  return out;
}

json race_json(const Race& race) {
  json out = {
      {"fingerprint", race.fingerprint}, {"count", race.count}, {"pid", race.pid},
      {"address", hex(race.address)},    {"size", race.size},   {"accesses", json::array()}};
  for (const Access& a : race.accesses) out["accesses"].push_back(access_json(a));
  out["memory"] = memory_json(race.memory);
  out["threads"] = json::array();
  for (const Thread& t : race.threads) out["threads"].push_back(t.id);
  out["locks"] = json::array();
  for (const Lock& lock : race.locks) {
    out["locks"].push_back({{"id", lock.id},
                            {"address", hex(lock.address)},
                            {"kind", lock.kind},
                            {"stack", stack_json(lock.stack)}});
  }
  return out;
}

json thread_json(const Thread& t) {
  json out = {{"id", t.id}, {"pid", t.pid}, {"os", t.os}};
  if (!t.name.empty()) out["name"] = t.name;
  if (t.parent) out["parent"] = *t.parent;
  out["stack"] = stack_json(t.stack);
  return out;
}

json run_json(const Report& report) {
  json out = {{"command", report.run.command}, {"seconds", report.run.seconds}};
  if (report.run.exit_code) out["exit_code"] = *report.run.exit_code;
  if (report.run.signal) out["signal"] = *report.run.signal;
  out["processes"] = json::array();
  for (const Process& p : report.processes) {
    out["processes"].push_back(
        {{"pid", p.pid}, {"exe", p.exe}, {"args", p.args}, {"complete", p.ended}});
  }
  return out;
}

json sampling_json(const Sampling& s) {
  json out = {{"rate", s.rate},
              {"periods", s.periods},
              {"sampled_periods", s.sampled_periods},
              {"work", s.work},
              {"sampled_work", s.sampled_work},
              {"activations", s.activations},
              {"rules", json::object()}};
  for (const auto& [name, times] : s.rules) {
    out["rules"][name] = {{"sampling", times.sampling}, {"not_sampling", times.not_sampling}};
  }
  return out;
}

}  // namespace

std::string json_report(const Report& report, const Suppressions& suppressions) {
  json out = {{"version", kReportVersion},       {"tool", report.tool},
              {"incomplete", report.incomplete}, {"races", json::array()},
              {"threads", json::array()},        {"messages", json::array()}};
  for (const Race& race : report.races) out["races"].push_back(race_json(race));
  for (const Thread& t : report.threads) out["threads"].push_back(thread_json(t));
  for (const Message& m : report.messages) {
    out["messages"].push_back(
        {{"level", m.level}, {"text", m.text}, {"pid", m.pid}, {"stack", stack_json(m.stack)}});
  }
  out["problems"] = report.problems;
  out["suppressed"] = report.suppressed;
  out["suppressions"] = json::array();
  for (const Suppression& rule : suppressions.rules()) {
    if (rule.hits == 0) continue;
    out["suppressions"].push_back(
        {{"rule", rule.text}, {"file", rule.file}, {"line", rule.line}, {"hits", rule.hits}});
  }
  out["run"] = run_json(report);
  out["stats"] = report.stats;
  if (report.sampling) out["sampling"] = sampling_json(*report.sampling);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace steward::report
