#include "report/html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/utf8.h"

namespace steward::report {

namespace html {
extern const char kPage[];
extern const char kStyle[];
extern const char kScript[];
}  // namespace html

namespace {

using json = nlohmann::ordered_json;

// Frames and files once each: a thousand races share most of theirs.
class Tables {
 public:
  std::size_t file(const std::string& path) {
    const auto [it, fresh] = file_numbers_.try_emplace(path, files_.size());
    if (fresh) files_.push_back(path);
    return it->second;
  }

  json stack(const Stack& stack) {
    json out = json::array();
    for (const Frame& f : stack) out.push_back(frame(f));
    return out;
  }

  json frames_json() const { return frames_; }
  json files_json() const { return files_; }

 private:
  std::size_t frame(const Frame& f) {
    const std::string function = printable(readable_function(f));
    const bool library = is_plumbing(f);
    const auto key = std::tuple(function, f.file, f.line, f.column, f.inlined);
    const auto [it, fresh] = frame_numbers_.try_emplace(key, frames_.size());
    if (fresh) {
      frames_.push_back(json::array({function, f.file.empty() ? json(-1) : json(file(f.file)),
                                     f.line, f.column, library ? 1 : 0, f.inlined ? 1 : 0}));
    }
    return it->second;
  }

  json frames_ = json::array();
  json files_ = json::array();
  std::map<std::string, std::size_t> file_numbers_;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned, bool>, std::size_t>
      frame_numbers_;
};

json access_json(const Race& race, const Access& a, Tables& tables) {
  json locks = json::array();
  for (const std::uint32_t id : a.locks) locks.push_back(fmt::format("M{}", id));
  return {{"kind", name(a.kind)},
          {"size", a.size},
          {"address", fmt::format("{:#x}", a.address)},
          {"thread", thread_text(race, a.thread)},
          {"locks", std::move(locks)},
          {"lost", a.stack_lost},
          {"stack", tables.stack(a.stack)}};
}

json verdict_json(const Verdict& v, Tables& tables) {
  return {{"kind", name(v.harm)},
          {"summary", v.summary},
          {"evidence", v.evidence},
          {"variable", v.variable},
          {"model", v.model},
          {"heuristic", v.heuristic},
          {"seed", v.seed},
          {"runs", v.runs},
          {"failures", v.failures},
          {"choices", v.choices},
          {"stale", v.stale},
          {"read", tables.stack(v.stale_read)},
          {"write", tables.stack(v.stale_write)}};
}

json race_json(const Race& race, const Report& report, Tables& tables) {
  json out = {
      {"id", race.fingerprint},
      {"on", memory_text(race)},
      {"what", what_text(race)},
      {"cause", race.discipline ? cause_text(race) + "; " + order_text(race) : cause_text(race)},
      {"where", where_text(race)},
      {"count", race.count},
      {"runs", race.runs_seen()},
      {"reproduce", reproduce_command(race, report)},
      {"suppress", suppression_rule(race)}};
  std::string seen = seen_text(race, report);
  if (report.runs() > 1) {
    const std::string frequency = frequency_text(race);
    if (!frequency.empty()) seen += "; " + frequency;
  }
  out["seen"] = seen;
  if (race.frequency) {
    out["frequency"] = {{"estimate", race.frequency->estimate},
                        {"low", race.frequency->low},
                        {"high", race.frequency->high}};
  }
  if (race.novelty != Novelty::NotAsked) {
    out["novelty"] = race.novelty == Novelty::New ? "new" : "known";
  }
  std::set<std::string> tools;
  for (const Seen& s : race.seen) {
    if (s.batch < report.batches.size()) tools.insert(report.batches[s.batch].tool);
  }
  if (tools.empty()) tools.insert(report.tool);
  out["tools"] = tools;
  out["accesses"] = json::array();
  for (const Access& a : race.accesses) out["accesses"].push_back(access_json(race, a, tables));
  out["memory"] = tables.stack(programs_part(race.memory.stack));
  out["locks"] = json::array();
  for (const Lock& lock : race.locks) {
    out["locks"].push_back({{"text", lock_text(lock)}, {"stack", tables.stack(lock.stack)}});
  }
  out["threads"] = json::array();
  for (const Thread& t : race.threads) {
    json one = {{"label", thread_text(race, t.id)},
                {"stack", tables.stack(programs_part(t.stack))}};
    if (t.parent) one["parent"] = thread_text(race, *t.parent);
    out["threads"].push_back(std::move(one));
  }
  if (race.verdict) out["verdict"] = verdict_json(*race.verdict, tables);
  return out;
}

json batches_json(const Report& report) {
  json out = json::array();
  const auto add = [&](const std::vector<std::string>& command, const std::string& tool,
                       double rate, std::uint64_t runs) {
    out.push_back(
        {{"command", command_text(command)}, {"tool", tool}, {"rate", rate}, {"runs", runs}});
  };
  for (const Batch& b : report.batches) add(b.command, b.tool, b.sampling_rate, b.runs);
  if (report.batches.empty()) {
    add(report.run.command, report.tool, report.sampling_rate.value_or(1), 1);
  }
  return out;
}

json facts_json(const Report& report) {
  json out = json::array();
  if (!report.run.started.empty()) out.push_back("first run " + report.run.started);
  if (!report.run.host.empty()) out.push_back("on " + report.run.host);
  for (const Process& p : report.processes) {
    if (p.compiler.empty()) continue;
    out.push_back(p.compiler);
    break;
  }
  for (const auto& [key, value] : report.settings) {
    if (!value.empty()) out.push_back(fmt::format("{}: {}", key, value));
  }
  if (!report.version.empty()) out.push_back("Steward " + report.version);
  return out;
}

json notes_json(const Report& report) {
  json out = json::array();
  if (const std::string gone = gone_text(report); !gone.empty()) out.push_back(gone + ".");
  if (report.incomplete) out.push_back("The report is incomplete: there may be more races.");
  for (const Message& m : report.messages) out.push_back(m.text);
  for (const std::string& line : report.problems) out.push_back(line);
  return out;
}

// Only what frames point to.
json sources_json(const Report& report) {
  json out = json::object();
  for (const auto& [file, lines] : report.sources) {
    json& numbered = out[file] = json::object();
    for (const auto& [number, text] : lines) numbered[std::to_string(number)] = text;
  }
  return out;
}

std::string data_json(const Report& report) {
  Tables tables;
  json out = {{"overview", overview_text(report)},
              {"runs", report.runs()},
              {"folder", report.run.folder},
              {"batches", batches_json(report)},
              {"facts", facts_json(report)},
              {"notes", notes_json(report)},
              {"races", json::array()}};
  for (const Race& race : report.races) {
    if (race.accesses.size() == 2) out["races"].push_back(race_json(race, report, tables));
  }
  out["frames"] = tables.frames_json();
  out["files"] = tables.files_json();
  out["sources"] = sources_json(report);
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

// No text of a report can end the element it is in, or begin a comment.
std::string inside_script(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

std::string with(std::string page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  return page.replace(at, mark.size(), text);
}

}  // namespace

std::string html_report(const Report& report) {
  // The data last: what it says is no mark.
  std::string page = with(html::kPage, "@TITLE@", "Steward: " + overview_text(report));
  page = with(std::move(page), "@STYLE@", html::kStyle);
  page = with(std::move(page), "@SCRIPT@", html::kScript);
  return with(std::move(page), "@DATA@", inside_script(data_json(report)));
}

}  // namespace steward::report
