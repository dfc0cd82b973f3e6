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
  if (f.start_line != 0) out["start_line"] = f.start_line;
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

json verdict_json(const Verdict& v) {
  json out = {{"kind", name(v.harm)}};
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) out[key] = value;
  };
  const auto number = [&](const char* key, std::uint64_t value) {
    if (value != 0) out[key] = value;
  };
  text("summary", v.summary);
  if (!v.evidence.empty()) out["evidence"] = v.evidence;
  text("variable", v.variable);
  text("model", v.model);
  text("heuristic", v.heuristic);
  text("seed", v.seed);
  text("replay", v.replay);
  number("runs", v.runs);
  number("failures", v.failures);
  number("choices", v.choices);
  number("stale", v.stale);
  if (!v.stale_read.empty()) out["stale_read"] = stack_json(v.stale_read);
  if (!v.stale_write.empty()) out["stale_write"] = stack_json(v.stale_write);
  return out;
}

// What only a merged report knows.
void add_merged(json& out, const Race& race) {
  if (!race.seen.empty()) {
    out["run"] = race.run;
    out["seen"] = json::array();
    for (const Seen& s : race.seen) out["seen"].push_back({{"batch", s.batch}, {"runs", s.runs}});
  }
  if (race.frequency) {
    const Frequency& f = *race.frequency;
    out["frequency"] = {
        {"estimate", f.estimate}, {"low", f.low}, {"high", f.high}, {"at_least", f.at_least}};
  }
  if (race.novelty != Novelty::NotAsked) {
    out["baseline"] = race.novelty == Novelty::New ? "new" : "known";
  }
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
  if (const auto& d = race.discipline) {
    out["lockset"] = {{"ordered", d->ordered},
                      {"later", d->later},
                      {"earlier", d->earlier},
                      {"common", d->common}};
  }
  if (race.verdict) out["verdict"] = verdict_json(*race.verdict);
  add_merged(out, race);
  return out;
}

json thread_json(const Thread& t, bool merged) {
  json out = {{"id", t.id}, {"pid", t.pid}, {"os", t.os}};
  if (merged) out["run"] = t.run;
  if (!t.name.empty()) out["name"] = t.name;
  if (t.parent) out["parent"] = *t.parent;
  out["stack"] = stack_json(t.stack);
  return out;
}

json run_json(const Report& report) {
  json out = {{"command", report.run.command}, {"seconds", report.run.seconds}};
  if (report.run.exit_code) out["exit_code"] = *report.run.exit_code;
  if (report.run.signal) out["signal"] = *report.run.signal;
  if (!report.run.folder.empty()) out["folder"] = report.run.folder;
  if (!report.run.started.empty()) out["started"] = report.run.started;
  if (!report.run.host.empty()) out["host"] = report.run.host;
  out["processes"] = json::array();
  for (const Process& p : report.processes) {
    json one = {{"pid", p.pid}, {"exe", p.exe}, {"args", p.args}, {"complete", p.ended}};
    if (!p.build_id.empty()) one["build_id"] = p.build_id;
    if (!p.compiler.empty()) one["compiler"] = p.compiler;
    out["processes"].push_back(std::move(one));
  }
  return out;
}

json batch_json(const Batch& b) {
  json out = {{"tool", b.tool},
              {"sampling_rate", b.sampling_rate},
              {"command", b.command},
              {"runs", b.runs},
              {"incomplete", b.incomplete}};
  if (!b.folder.empty()) out["folder"] = b.folder;
  return out;
}

json sources_json(const Sources& sources) {
  json out = json::object();
  for (const auto& [file, lines] : sources) {
    json& numbered = out[file] = json::object();
    for (const auto& [number, text] : lines) numbered[std::to_string(number)] = text;
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
              {"spent_us", s.spent_us},
              {"rules", json::object()}};
  for (const auto& [name, times] : s.rules) {
    out["rules"][name] = {{"sampling", times.sampling}, {"not_sampling", times.not_sampling}};
  }
  return out;
}

}  // namespace

std::string json_report(const Report& report, const Suppressions& suppressions) {
  json out = {{"version", kReportVersion}, {"tool", report.tool}};
  if (!report.version.empty()) out["steward"] = report.version;
  if (!report.settings.empty()) out["settings"] = report.settings;
  if (report.sampling_rate) out["sampling_rate"] = *report.sampling_rate;
  out["incomplete"] = report.incomplete;
  if (!report.batches.empty()) {
    out["batches"] = json::array();
    for (const Batch& b : report.batches) out["batches"].push_back(batch_json(b));
    if (report.unseen) out["unseen"] = *report.unseen;
  }
  out["races"] = json::array();
  for (const Race& race : report.races) out["races"].push_back(race_json(race));
  if (!report.gone.empty()) {
    out["gone"] = json::array();
    for (const Race& race : report.gone) out["gone"].push_back(race.fingerprint);
  }
  out["threads"] = json::array();
  for (const Thread& t : report.threads) {
    out["threads"].push_back(thread_json(t, !report.batches.empty()));
  }
  out["messages"] = json::array();
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
  if (!report.sources.empty()) out["sources"] = sources_json(report.sources);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace steward::report
