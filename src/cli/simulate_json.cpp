#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/simulate_result.h"

namespace steward::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json number(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

Json machine_json(const MachineRun& m, const MachineRun* none, bool samples) {
  Json counts = Json::object();
  for (const NamedCount& c : kCounts) counts[c.name] = m.counts.*c.count;
  Json j = {{"machine", name(m.kind)},
            {"cycles", m.cycles},
            {"overhead", m.kind == sim::Kind::None ? Json(0) : number(overhead(&m, none))},
            {"counts", counts},
            {"seconds", m.seconds},
            {"memory", m.memory}};
  if (!samples) return j;
  j["cache_lines"] = m.cache_lines;
  j["contents"] = Json::array();
  for (const sim::ContentsSample& s : m.samples) {
    j["contents"].push_back({{"cycle", s.cycle},
                             {"data", s.contents.data},
                             {"compact", s.contents.compact},
                             {"expanded", s.contents.expanded}});
  }
  return j;
}

Json trace_json(const TraceRun& r) {
  Json j = {{"trace", r.trace},
            {"events", r.events},
            {"threads", r.threads},
            {"partial", r.partial.has_value()}};
  if (r.partial) j["error"] = *r.partial;
  if (r.unreadable) j["error"] = *r.unreadable;
  const MachineRun* none = r.machine(sim::Kind::None);
  j["machines"] = Json::array();
  for (const MachineRun& m : r.machines) {
    j["machines"].push_back(machine_json(m, none, m.kind == sim::Kind::Radish));
  }
  j["races"] = Json::array();
  for (const RacyPlace& p : r.races) {
    j["races"].push_back({{"event", p.event + 1}, {"access", p.where}});
  }
  j["sweeps"] = Json::array();
  for (const auto& [sweep, runs] : r.sweeps) {
    Json values = Json::array();
    for (const SweepRun& s : runs) {
      values.push_back({{"value", s.value},
                        {"none", machine_json(s.none, nullptr, false)},
                        {"radish", machine_json(s.radish, &s.none, false)}});
    }
    j["sweeps"].push_back({{"key", sweep.key}, {"values", values}});
  }
  return j;
}

// As RFC 4180 wants a field.
std::string quoted(const std::string& s) {
  if (s.find_first_of(",\"\n\r") == std::string::npos) return s;
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_row(const TraceRun& r, const std::string& key, const std::string& value,
                    const MachineRun& m, const MachineRun* none) {
  const double o = m.kind == sim::Kind::None ? 0 : overhead(&m, none);
  std::string line = fmt::format("{},{},{},{},{},{},{}", quoted(r.trace), name(m.kind), key, value,
                                 r.partial ? "yes" : "no", m.cycles,
                                 std::isnan(o) ? std::string() : fmt::format("{:.6f}", o));
  for (const NamedCount& c : kCounts) line += fmt::format(",{}", m.counts.*c.count);
  return line + '\n';
}

}  // namespace

std::string simulate_json(const std::vector<TraceRun>& runs, const SimulatePlan& plan,
                          int exit_code) {
  Json config = Json::object();
  for (const sim::Setting& s : sim::settings(plan.config)) config[s.key] = s.value;
  Json traces = Json::array();
  for (const TraceRun& r : runs) traces.push_back(trace_json(r));
  const Json all = {
      {"version", kVersion}, {"exit_code", exit_code}, {"parameters", config}, {"traces", traces}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string simulate_csv(const std::vector<TraceRun>& runs) {
  std::string text = "trace,machine,parameter,value,partial,cycles,overhead";
  for (const NamedCount& c : kCounts) text += std::string(",") + c.name;
  text += '\n';
  for (const TraceRun& r : runs) {
    const MachineRun* none = r.machine(sim::Kind::None);
    for (const MachineRun& m : r.machines) text += csv_row(r, "", "", m, none);
    for (const auto& [sweep, values] : r.sweeps) {
      for (const SweepRun& s : values) {
        text += csv_row(r, sweep.key, s.value, s.none, nullptr);
        text += csv_row(r, sweep.key, s.value, s.radish, &s.none);
      }
    }
  }
  return text;
}

}  // namespace steward::cli
