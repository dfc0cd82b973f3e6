// A report of `steward run --json` once more, with what was found of each race's variable: in the
// form that `steward report` shows (docs/report-format.md).
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/classify_result.h"
#include "report/model.h"

namespace steward::cli {

namespace {

using nlohmann::ordered_json;

std::string summary_of(const VariableResult& v) {
  if (v.witness)
    return fmt::format("{} of {} runs went wrong: {}", v.harmful(), v.runs(), v.witness->harm.text);
  if (v.verdict == Classification::NotExercised) return v.why_not_exercised();
  return fmt::format("{} runs, all right; {} of {} reads had a choice, {} were given a stale value",
                     v.runs(), v.choices, v.reads, v.stale);
}

ordered_json verdict_of(const VariableResult& v) {
  ordered_json out{
      {"kind", name(v.verdict)}, {"summary", summary_of(v)}, {"variable", v.variable.name}};
  out["model"] = v.model;
  out["runs"] = v.runs();
  out["failures"] = v.harmful();
  out["choices"] = v.choices;
  out["stale"] = v.stale;
  if (v.witness) {
    const Witness& w = *v.witness;
    out["heuristic"] = jumble::name(w.heuristic);
    out["seed"] = fmt::format("{}", w.seed);
    out["replay"] = w.command;
    out["evidence"] = {
        fmt::format("{} of {} runs with this seed went wrong", w.replayed, w.replays)};
    if (w.stale) {
      out["evidence"].push_back(
          fmt::format("the last stale read: {} bytes, got {:#x} where the latest value was {:#x}",
                      w.stale->size, w.stale->given, w.stale->latest));
    }
  }
  return out;
}

}  // namespace

std::string annotate_report(const std::string& from, const std::string& to,
                            const ClassifyResult& result) {
  std::ifstream in(from);
  const ordered_json none;
  ordered_json whole = ordered_json::parse(in, nullptr, false);
  if (whole.is_discarded() || !whole.contains("races")) {
    return fmt::format("{} is no report that 'steward run --json' wrote", from);
  }
  for (ordered_json& race : whole["races"]) {
    const std::string fingerprint = race.value("fingerprint", "");
    for (const VariableResult& v : result.variables) {
      const auto& races = v.variable.races;
      if (std::find(races.begin(), races.end(), fingerprint) != races.end())
        race["verdict"] = verdict_of(v);
    }
  }
  std::ofstream out(to);
  out << whole.dump(2) << "\n";
  out.flush();
  return out ? "" : fmt::format("{} cannot be written", to);
}

}  // namespace steward::cli
