#include "report/sarif.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/source_lines.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

using json = nlohmann::ordered_json;

constexpr const char* kRule = "data-race";
constexpr const char* kDisciplineRule = "lock-discipline";
constexpr const char* kBase = "SRCROOT";

std::string encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) ||
                       std::string_view("-._~/+@").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

json message(std::string_view text) {
  return {{"text", printable(text)}};
}

class Writer {
 public:
  explicit Writer(const Report& report) : report_(report), source_(report.sources) {}

  json log() {
    json run = {{"tool", {{"driver", driver()}}}, {"columnKind", "unicodeCodePoints"}};
    std::error_code error;
    const std::string here = std::filesystem::current_path(error).string();
    if (!error) run["originalUriBaseIds"][kBase]["uri"] = "file://" + encoded(here) + "/";
    run["invocations"] = json::array({invocation()});
    run["results"] = json::array();
    for (const Race& race : report_.races) run["results"].push_back(result(race));
    for (const Race& race : report_.gone) {
      json one = result(race);
      one["baselineState"] = "absent";
      run["results"].push_back(std::move(one));
    }
    json properties = {{"runs", report_.runs()}, {"incomplete", report_.incomplete}};
    if (report_.sampling_rate) properties["samplingRate"] = *report_.sampling_rate;
    if (!report_.settings.empty()) properties["settings"] = report_.settings;
    run["properties"] = std::move(properties);
    return {{"$schema",
             "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
             "sarif-schema-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", json::array({std::move(run)})}};
  }

 private:
  json driver() const {
    json out = {{"name", "Steward"}};
    if (!report_.version.empty()) out["version"] = report_.version;
    json rule = {
        {"id", kRule},
        {"name", "DataRace"},
        {"shortDescription", message("Data race")},
        {"fullDescription",
         message("Two threads access the same memory, one of them writes, not both accesses are "
                 "atomic, and nothing orders them.")},
        {"help",
         message("In C and C++ a data race is undefined behaviour. Guard both accesses by the same "
                 "lock, make both atomic, or hand the data over by something that orders them: "
                 "join, a condition variable, a release store and an acquire load.")},
        {"defaultConfiguration", {{"level", "error"}}},
        {"properties",
         {{"tags", {"concurrency", "correctness"}},
          {"precision", "very-high"},
          {"problem.severity", "error"}}}};
    out["rules"] = json::array({std::move(rule)});
    const auto& races = report_.races;
    if (std::any_of(races.begin(), races.end(), [](const Race& r) { return r.discipline; })) {
      out["rules"].push_back(discipline_rule());
    }
    return out;
  }

  static json discipline_rule() {
    return {{"id", kDisciplineRule},
            {"name", "LockDiscipline"},
            {"shortDescription", message("No lock is common to all threads")},
            {"fullDescription",
             message("Two threads access the same memory, one of them writes, and no lock protects "
                     "both accesses. Whether something else orders them in this run is told.")},
            {"help",
             message("Guard all accesses by the same lock; or, where the data is handed over by "
                     "other means (join, a queue), leave it out by a suppression.")},
            {"defaultConfiguration", {{"level", "warning"}}},
            {"properties", {{"tags", {"concurrency"}}, {"problem.severity", "warning"}}}};
  }

  json invocation() const {
    json out = {{"executionSuccessful", !report_.incomplete}};
    if (!report_.run.command.empty()) out["commandLine"] = command_text(report_.run.command);
    if (!report_.run.started.empty()) out["startTimeUtc"] = report_.run.started;
    if (report_.run.exit_code) out["exitCode"] = *report_.run.exit_code;
    if (report_.run.signal) out["exitSignalNumber"] = *report_.run.signal;
    if (!report_.run.folder.empty()) {
      out["workingDirectory"] = {{"uri", "file://" + encoded(report_.run.folder)}};
    }
    json notes = json::array();
    for (const Message& m : report_.messages) {
      notes.push_back(
          {{"level", m.level == "error" ? "error" : "warning"}, {"message", message(m.text)}});
    }
    for (const std::string& line : report_.problems) {
      notes.push_back({{"level", "warning"}, {"message", message(line)}});
    }
    if (!notes.empty()) out["toolExecutionNotifications"] = std::move(notes);
    return out;
  }

  json artifact(const std::string& path) const {
    const std::string below = relative(path);
    if (below.starts_with('/')) return {{"uri", "file://" + encoded(below)}};
    return {{"uri", encoded(below)}, {"uriBaseId", kBase}};
  }

  json location(const Frame& f, std::string_view text) {
    json out = json::object();
    if (!f.file.empty()) {
      json physical = {{"artifactLocation", artifact(f.file)}};
      if (f.line != 0) {
        json& region = physical["region"] = {{"startLine", f.line}};
        if (f.column != 0) region["startColumn"] = f.column;
        const std::string& line = source_.line(f.file, f.line);
        if (!line.empty()) region["snippet"] = message(line);
      }
      out["physicalLocation"] = std::move(physical);
    } else if (!f.module.empty()) {
      out["physicalLocation"] = {
          {"artifactLocation", artifact(f.module)},
          {"address", {{"relativeAddress", f.offset}, {"kind", "instruction"}}}};
    }
    if (!f.function.empty()) {
      out["logicalLocations"] =
          json::array({{{"fullyQualifiedName", printable(f.function)}, {"kind", "function"}}});
    }
    if (!text.empty()) out["message"] = message(text);
    return out;
  }

  static std::string access_text(const Race& race, std::size_t index) {
    const Access& a = race.accesses[index];
    std::string out = fmt::format("{}{} of {} by {}", index == 0 ? "" : "earlier ", name(a.kind),
                                  bytes_text(a.size), thread_text(race, a.thread));
    if (a.locks.empty()) return out + (index == 1 && a.stack_lost ? "" : ", holding no lock");
    out += ", holding";
    const char* separator = " ";
    for (const std::uint32_t id : a.locks) {
      out += fmt::format("{}M{}", separator, id);
      separator = ", ";
    }
    return out;
  }

  json thread_flow(const Race& race, std::size_t index) {
    const Access& a = race.accesses[index];
    const Stack stack = without_plumbing(a.stack);
    json locations = json::array();
    for (std::size_t i = stack.size(); i-- > 0;) {
      const std::string text =
          i == 0 ? access_text(race, index) : fmt::format("in {}", readable_function(stack[i]));
      locations.push_back({{"location", location(stack[i], text)},
                           {"nestingLevel", stack.size() - 1 - i},
                           {"executionOrder", index == 0 ? 2 : 1},
                           {"importance", i == 0 ? "essential" : "important"}});
    }
    return {{"id", thread_text(race, a.thread)},
            {"message", message(access_text(race, index))},
            {"locations", std::move(locations)}};
  }

  json stack(const Stack& frames, const std::string& text) {
    json out = {{"message", message(text)}, {"frames", json::array()}};
    for (const Frame& f : frames) {
      json one = {{"location", location(f, readable_function(f))}};
      if (!f.module.empty()) one["module"] = f.module;
      out["frames"].push_back(std::move(one));
    }
    return out;
  }

  json related(const Race& race) {
    json out = json::array();
    const auto add = [&](const Stack& full, const std::string& text) {
      const Stack frames = programs_part(full);
      if (frames.empty()) return;
      json one = location(frames[0], text);
      one["id"] = out.size() + 1;
      out.push_back(std::move(one));
    };
    add(race.accesses[1].stack, access_text(race, 1));
    if (race.memory.kind == MemoryKind::Heap) {
      add(race.memory.stack, memory_text(race) + " is allocated here");
    } else if (!race.memory.file.empty()) {
      Frame declared;
      declared.file = race.memory.file;
      declared.line = race.memory.line;
      add({declared}, memory_text(race) + " is declared here");
    }
    for (const Lock& lock : race.locks) {
      add(lock.stack, fmt::format("M{} is first seen here", lock.id));
    }
    for (const Access& access : race.accesses) {
      const Thread* t = race.thread(access.thread);
      if (t != nullptr) add(t->stack, thread_text(race, t->id) + " is created here");
    }
    if (race.verdict) {
      add(race.verdict->stale_read, "the stale value is read here");
      add(race.verdict->stale_write, "the stale value is written here");
    }
    return out;
  }

  static const char* level(const Race& race) {
    if (race.discipline && race.discipline->ordered) return "warning";
    return race.harm() == Harm::NoHarmSeen || race.harm() == Harm::NotExercised ? "warning"
                                                                                : "error";
  }

  json result(const Race& race) {
    std::string text = fmt::format("{}; {}.", what_text(race), cause_text(race));
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    for (const std::string& more : {order_text(race), verdict_text(race), seen_text(race, report_),
                                    report_.runs() > 1 ? frequency_text(race) : std::string()}) {
      if (!more.empty()) text += fmt::format(" {}.", more);
    }
    json out = {{"ruleId", race.discipline ? kDisciplineRule : kRule},
                {"ruleIndex", race.discipline ? 1 : 0},
                {"level", level(race)},
                {"message", message(text)}};
    const Stack later = without_plumbing(race.accesses[0].stack);
    const Stack earlier = without_plumbing(race.accesses[1].stack);
    const Stack& place = later.empty() ? earlier : later;
    out["locations"] = json::array();
    if (!place.empty()) out["locations"].push_back(location(place[0], access_text(race, 0)));
    out["relatedLocations"] = related(race);
    json flows = json::array();
    json stacks = json::array();
    // In the order in which they happened.
    for (const std::size_t index : {1U, 0U}) {
      if (race.accesses[index].stack.empty()) continue;
      flows.push_back(thread_flow(race, index));
      stacks.push_back(stack(race.accesses[index].stack, access_text(race, index)));
    }
    if (!flows.empty()) {
      out["codeFlows"] = json::array(
          {{{"message", message(cause_text(race))}, {"threadFlows", std::move(flows)}}});
      out["stacks"] = std::move(stacks);
    }
    out["partialFingerprints"] = {{"steward/v1", race.fingerprint}};
    out["occurrenceCount"] = std::max<std::uint64_t>(race.count, 1);
    if (race.novelty != Novelty::NotAsked) {
      out["baselineState"] = race.novelty == Novelty::New ? "new" : "unchanged";
    }
    json properties = {{"runsSeen", race.runs_seen()}, {"verdict", name(race.harm())}};
    if (race.verdict && !race.verdict->evidence.empty()) {
      properties["evidence"] = race.verdict->evidence;
    }
    if (race.frequency) {
      properties["frequency"] = {{"estimate", race.frequency->estimate},
                                 {"low", race.frequency->low},
                                 {"high", race.frequency->high}};
    }
    out["properties"] = std::move(properties);
    return out;
  }

  const Report& report_;
  SourceLines source_;
};

}  // namespace

std::string sarif_report(const Report& report) {
  return Writer(report).log().dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace steward::report
