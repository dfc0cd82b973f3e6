#include "cli/analyze_json.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/pacer_work.h"

namespace steward::cli {

namespace {

// Keys stay in the order given: a person reads this too.
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

const char* kind_name(analyze::DetectorKind k) {
  switch (k) {
    case analyze::DetectorKind::Generic:
      return "generic";
    case analyze::DetectorKind::FastTrack:
      return "fasttrack";
    case analyze::DetectorKind::Pacer:
      return "pacer";
    case analyze::DetectorKind::LiteRace:
      return "literace";
    case analyze::DetectorKind::Lockset:
      return "lockset";
  }
  return "?";
}

Json number(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

Json slow_fast(const SlowFast& w, const char* slow, const char* fast) {
  return {{"sampling", {{slow, w.slow[1]}, {fast, w.fast[1]}}},
          {"outside", {{slow, w.slow[0]}, {fast, w.fast[0]}}},
          {"outside_fast_share", number(w.fast_share_outside())}};
}

Json pacer_json(const PacerWork& w) {
  return {{"joins", slow_fast(w.all_joins(), "slow", "fast")},
          {"thread_joins", slow_fast(w.joins, "slow", "fast")},
          {"volatile_joins", slow_fast(w.volatile_writes, "slow", "fast")},
          {"copies", slow_fast(w.copies, "deep", "shallow")},
          {"reads", slow_fast(w.reads, "slow", "fast")},
          {"writes", slow_fast(w.writes, "slow", "fast")},
          {"outside_constant_time_share", number(w.fast_clock_share_outside())}};
}

Json detector_json(const AnalyzeResult& r, const Contestant& c) {
  const Contestant* fasttrack = r.fasttrack();
  const Sampling s = sampling_of(c);
  const std::vector<Stat> list = counters(c);
  Json counters = Json::array();
  for (const Stat& stat : list) {
    if (stat.split) {
      counters.push_back(
          {{"name", stat.name}, {"sampling", stat.sampling}, {"outside", stat.outside}});
    } else {
      counters.push_back({{"name", stat.name}, {"count", stat.outside}});
    }
  }
  const bool samples =
      c.spec.kind == analyze::DetectorKind::Pacer || c.spec.kind == analyze::DetectorKind::LiteRace;
  Json json = {{"name", c.spec.text},
               {"kind", kind_name(c.spec.kind)},
               {"seed", samples ? Json(c.spec.seed) : Json()},
               {"distinct_races", c.races.distinct().size()},
               {"dynamic_races", c.races.dynamic()},
               {"unlisted_dynamic_races", c.races.unlisted()},
               {"racy_addresses", c.races.racy_variables()},
               {"share_of_fasttrack", fasttrack ? number(r.share_found(c, fasttrack)) : Json()},
               {"share_of_all", number(r.share_found(c, nullptr))},
               {"accesses", s.accesses},
               {"sampled_accesses", s.sampled_accesses},
               {"syncs", s.syncs},
               {"sampled_syncs", s.sampled_syncs ? Json(*s.sampled_syncs) : Json()},
               {"seconds", c.seconds()},
               {"events_per_second",
                c.seconds() > 0 ? Json(static_cast<double>(r.pass->events) / c.seconds()) : Json()},
               {"peak_memory_bytes", c.detector->peak_memory()},
               {"counters", std::move(counters)}};
  if (c.spec.kind == analyze::DetectorKind::Pacer) json["pacer"] = pacer_json(pacer_work(list));
  return json;
}

Json end_json(const RaceEnd& end, const trace::Names& names) {
  const std::string site = names.site(end.site);
  return {{"access", name(end.kind)},
          {"thread", names.thread(end.thread)},
          {"site", site.empty() ? Json() : Json(site)}};
}

Json lockset_json(const LockFinding& l) {
  Json race;
  switch (l.happens_before) {
    case HappensBeforeSays::NotAsked:
      break;
    case HappensBeforeSays::SamePair:
      race = "pair";
      break;
    case HappensBeforeSays::SameBytes:
      race = "bytes";
      break;
    case HappensBeforeSays::Ordered:
      race = "no";
      break;
  }
  return {{"first_held", l.first_held},
          {"second_held", l.second_held},
          {"common_before", l.before},
          {"happens_before_race", std::move(race)}};
}

Json race_json(const AnalyzeResult& r, const FoundRace& race) {
  const Race& e = race.example;
  Json found = Json::array();
  for (std::size_t i = 0; i < race.counts.size(); ++i) {
    if (race.counts[i] == 0) continue;
    found.push_back({{"detector", r.pass->contestants[i].spec.text}, {"count", race.counts[i]}});
  }
  Json json = {{"variable", r.names->variable(e.address)},
               // As text: a JSON number need not hold 64 bits.
               {"address", fmt::format("{:#x}", e.address)},
               {"size", e.size},
               {"event", e.event + 1},
               {"first", end_json(e.first, *r.names)},
               {"second", end_json(e.second, *r.names)},
               {"found_by", std::move(found)}};
  if (race.locks) json["lockset"] = lockset_json(*race.locks);
  return json;
}

}  // namespace

std::string json_text(const AnalyzeResult& r, int exit_code) {
  const Pass& p = *r.pass;
  Json warnings = Json::array();
  for (const Complaint& c : p.complaints) {
    warnings.push_back({{"operation", c.operation}, {"count", c.count}, {"first", c.first}});
  }
  Json detectors = Json::array();
  for (const Contestant& c : p.contestants) detectors.push_back(detector_json(r, c));
  Json races = Json::array();
  for (const FoundRace& race : r.races) races.push_back(race_json(r, race));
  const Json json = {{"version", kVersion},
                     {"trace",
                      {{"path", r.trace},
                       {"format", r.format == trace::Format::Text ? "text" : "binary"},
                       {"bytes", r.bytes},
                       {"events", p.events},
                       {"threads", p.threads}}},
                     {"partial", r.partial()},
                     {"error", p.cut_short ? Json(*p.cut_short) : Json()},
                     {"warnings", std::move(warnings)},
                     {"distinct_races", r.races.size()},
                     {"racy_addresses", p.racy_addresses.size()},
                     {"races", std::move(races)},
                     {"detectors", std::move(detectors)},
                     {"exit_code", exit_code}};
  // Names and paths are bytes; what is not UTF-8 in them is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace steward::cli
