#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/classify_result.h"
#include "report/utf8.h"

namespace steward::cli {

namespace {

using nlohmann::ordered_json;

ordered_json frames_json(const report::Stack& stack) {
  ordered_json out = ordered_json::array();
  for (const report::Frame& f : stack) {
    ordered_json one;
    if (!f.function.empty()) one["function"] = f.function;
    if (f.line != 0) {
      one["file"] = f.file;
      one["line"] = f.line;
      one["column"] = f.column;
    }
    one["module"] = f.module;
    one["offset"] = fmt::format("{:#x}", f.offset);
    if (f.inlined) one["inlined"] = true;
    out.push_back(std::move(one));
  }
  return out;
}

ordered_json witness_json(const Witness& w) {
  ordered_json out{{"harm", w.harm.text},  {"seed", w.seed},       {"heuristic", name(w.heuristic)},
                   {"command", w.command}, {"replays", w.replays}, {"replayed", w.replayed}};
  if (w.stale) {
    const StaleEvidence& s = *w.stale;
    out["stale_read"] = {{"size", s.size},
                         {"thread", s.thread},
                         {"given", fmt::format("{:#x}", s.given)},
                         {"latest", fmt::format("{:#x}", s.latest)},
                         {"candidates", s.candidates},
                         {"times", s.count},
                         {"stack", frames_json(s.read)},
                         {"latest_write", frames_json(s.overwritten)},
                         {"write_given", frames_json(s.written)}};
  }
  return out;
}

ordered_json variable_json(const VariableResult& v) {
  ordered_json out{{"name", v.variable.name}, {"verdict", name(v.verdict)}, {"model", v.model}};
  if (v.verdict == Classification::NotExercised) out["why"] = v.why_not_exercised();
  out["accessed_at"] = v.variable.places;
  out["races"] = v.variable.races;
  out["runs"] = v.runs();
  out["harmful"] = v.harmful();
  out["heuristics"] = ordered_json::array();
  for (const HeuristicResult& h : v.heuristics) {
    out["heuristics"].push_back({{"name", name(h.heuristic)},
                                 {"runs", h.runs},
                                 {"harmful", h.harmful},
                                 {"seconds", h.seconds},
                                 {"cpu_seconds", h.cpu}});
  }
  if (v.witness) out["witness"] = witness_json(*v.witness);
  out["stats"] = {{"instances", v.locations},
                  {"writes", v.writes},
                  {"reads", v.reads},
                  {"reads_with_a_choice", v.choices},
                  {"stale_reads", v.stale},
                  {"torn_reads", v.torn},
                  {"unconfirmed_hangs", v.unconfirmed_hangs},
                  {"largest_buffer_uncompressed", v.largest_uncompressed},
                  {"largest_buffer", v.largest},
                  {"gc1", v.gc1},
                  {"gc2", v.gc2},
                  {"removed_oldest", v.removed},
                  {"unseen_writes", v.unseen}};
  return out;
}

}  // namespace

std::string classify_json(const ClassifyResult& r) {
  ordered_json out{{"version", 1},
                   {"command", r.command},
                   {"detection", {{"runs", r.detection_runs}, {"races", r.races}}},
                   {"baseline",
                    {{"runs", r.baseline_runs},
                     {"seconds", r.baseline_seconds},
                     {"mean_cpu_seconds", r.baseline_cpu},
                     {"timeout", r.timeout},
                     {"remarks", r.remarks}}},
                   {"interrupted", r.interrupted}};
  out["variables"] = ordered_json::array();
  for (const VariableResult& v : r.variables) out["variables"].push_back(variable_json(v));
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace steward::cli
