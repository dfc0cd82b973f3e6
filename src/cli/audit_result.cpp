#include "cli/audit_result.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/table.h"

namespace steward::cli {

namespace {

using analyze::AuditedDetector;
using analyze::Reports;
using Json = nlohmann::ordered_json;

std::string end_text(const RaceEnd& end, const trace::Names& names) {
  const std::string site = names.site(end.site);
  return fmt::format("{}{}{} by {}", name(end.kind), site.empty() ? "" : " at ", site,
                     names.thread(end.thread));
}

std::string race_text(const Race& r, const trace::Names& names) {
  return fmt::format("{} with earlier {} (event {})", end_text(r.second, names),
                     end_text(r.first, names), grouped(r.event + 1));
}

std::string amount(const Reports& r, const char* noun) {
  return fmt::format("{} at {}", counted(r.accesses, noun), counted(r.sites.size(), "site"));
}

std::string sentence(const AuditedDetector& d, const trace::Names& names) {
  const Reports& f = d.in_vain;
  const Reports& m = d.missed;
  if (f.accesses == 0 && m.accesses == 0) {
    return fmt::format("Without {} nothing would have changed in this run.\n", d.rules->absent);
  }
  std::string text = fmt::format("Without {} this run would have had ", d.rules->absent);
  if (f.accesses > 0) text += amount(f, "false report");
  if (f.accesses > 0 && m.accesses > 0) text += " and ";
  if (m.accesses > 0) text += amount(m, "missed report");
  text += "; first one: ";
  const bool is_false = f.first && (!m.first || f.first->event <= m.first->event);
  return text + race_text(is_false ? *f.first : *m.first, names) +
         (is_false ? ", false.\n" : ", missed.\n");
}

Json reports_json(const Reports& r, const trace::Names& names) {
  Json json = {{"accesses", r.accesses}, {"sites", r.sites.size()}, {"first", nullptr}};
  if (r.first) {
    const auto end = [&](const RaceEnd& e) {
      const std::string site = names.site(e.site);
      return Json{{"access", name(e.kind)},
                  {"thread", names.thread(e.thread)},
                  {"site", site.empty() ? Json() : Json(site)}};
    };
    json["first"] = {{"event", r.first->event + 1},
                     {"variable", names.variable(r.first->address)},
                     {"first", end(r.first->first)},
                     {"second", end(r.first->second)}};
  }
  return json;
}

}  // namespace

bool AuditResult::any_difference() const {
  return std::ranges::any_of(audit->detectors(), [](const AuditedDetector& d) {
    return d.in_vain.accesses != 0 || d.missed.accesses != 0;
  });
}

std::string audit_table(const std::vector<AuditResult>& results) {
  // A pair of columns a kind of mistake; those that hold only zeroes are left out, but each
  // detector has one.
  struct Columns {
    std::size_t detector;
    Reports AuditedDetector::*reports;
    const char* letter;
  };
  std::vector<Columns> columns;
  const std::span<const analyze::AuditRules> rules = analyze::audited();
  for (std::size_t i = 1; i < rules.size(); ++i) {
    const auto any = [&](Reports AuditedDetector::*reports) {
      return std::ranges::any_of(results, [&](const AuditResult& r) {
        return (r.audit->detectors()[i].*reports).accesses != 0;
      });
    };
    const bool missed = any(&AuditedDetector::missed);
    if (any(&AuditedDetector::in_vain) || !missed) {
      columns.push_back({i, &AuditedDetector::in_vain, "F"});
    }
    if (missed) columns.push_back({i, &AuditedDetector::missed, "M"});
  }
  Table t;
  std::vector<std::string> head = {"", "LARD", ""};
  std::vector<std::string> under = {"trace", "acc", "site"};
  for (const Columns& c : columns) {
    head.insert(head.end(), {rules[c.detector].name, ""});
    under.insert(under.end(), {fmt::format("{} acc", c.letter), fmt::format("{} site", c.letter)});
  }
  t.row(head);
  t.row(under);
  for (const AuditResult& r : results) {
    const auto& list = r.audit->detectors();
    std::vector<std::string> row = {r.trace, grouped(list[0].all.accesses),
                                    grouped(list[0].all.sites.size())};
    for (const Columns& c : columns) {
      const Reports& reports = list[c.detector].*c.reports;
      row.push_back(grouped(reports.accesses));
      row.push_back(grouped(reports.sites.size()));
    }
    t.row(std::move(row));
  }
  return t.text(0);
}

std::string audit_answer(const AuditResult& r) {
  const auto& list = r.audit->detectors();
  const Reports& lard = list[0].all;
  std::string text =
      fmt::format("{}: {} in {}\n", r.trace,
                  lard.accesses == 0 ? "no data race" : "data races, " + amount(lard, "report"),
                  counted(r.events, "event"));
  for (std::size_t i = 1; i < list.size(); ++i) text += "  " + sentence(list[i], r.names());
  return text;
}

std::string audit_json(const std::vector<AuditResult>& results, int exit_code) {
  Json traces = Json::array();
  for (const AuditResult& r : results) {
    Json detectors = Json::array();
    for (const AuditedDetector& d : r.audit->detectors()) {
      detectors.push_back({{"name", d.rules->name},
                           {"all", reports_json(d.all, r.names())},
                           {"false", reports_json(d.in_vain, r.names())},
                           {"missed", reports_json(d.missed, r.names())}});
    }
    traces.push_back({{"path", r.trace},
                      {"events", r.events},
                      {"partial", !r.cut_short.empty()},
                      {"error", r.cut_short.empty() ? Json() : Json(r.cut_short)},
                      {"detectors", std::move(detectors)}});
  }
  const Json json = {{"version", 1}, {"traces", std::move(traces)}, {"exit_code", exit_code}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace steward::cli
