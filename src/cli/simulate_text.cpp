#include <fmt/format.h>
#include <iterator>

#include "cli/numbers.h"
#include "cli/simulate_result.h"
#include "cli/table.h"

namespace steward::cli {

namespace {

using Row = std::vector<std::string>;

// 0.42 -> 42%, 3.5 -> 3.5x more
std::string overhead_text(double o) {
  if (std::isnan(o)) return "-";
  return o < 9.995 ? fmt::format("{:.1f}%", 100 * o) : fmt::format("{:.1f}x", o + 1);
}
std::string rate(double r) {
  return std::isnan(r) ? "-" : fmt::format("{:.2f}", r);
}

std::string machines_table(const TraceRun& r) {
  Table t;
  const MachineRun* none = r.machine(sim::Kind::None);
  t.row({"machine", "cycles", "over none", "L1 misses/1000", "racy accesses", "simulated"});
  for (const MachineRun& m : r.machines) {
    t.row({name(m.kind), grouped(m.cycles),
           m.kind == sim::Kind::None ? "-" : overhead_text(overhead(&m, none)),
           rate(per_thousand(m.counts.l1_misses, m.counts)),
           m.kind == sim::Kind::None ? "-" : grouped(m.counts.racy_accesses),
           rate_text(m.counts.accesses, m.seconds)});
  }
  return t.text(2);
}

std::string mechanisms_text(const sim::Counts& c) {
  std::string text = "  accesses:";
  const char* before = " ";
  for (const Mechanism& m : kMechanisms) {
    if (c.*m.count == 0) continue;
    text += fmt::format("{}{} {}", before, m.name, percent(share(c.*m.count, c.accesses)));
    before = ", ";
  }
  return text + '\n';
}

std::string contents_text(const MachineRun& m) {
  if (m.samples.empty()) return {};
  const sim::Contents& c = m.samples.back().contents;
  return fmt::format(
      "  caches at the end: data {}, compact metadata {}, expanded {}, empty {}\n",
      percent(share(c.data, m.cache_lines)), percent(share(c.compact, m.cache_lines)),
      percent(share(c.expanded, m.cache_lines)),
      percent(share(m.cache_lines - c.data - c.compact - c.expanded, m.cache_lines)));
}

// What is rare and worth a line when it happens.
std::string other_text(const sim::Counts& c) {
  std::string text;
  const auto add = [&](std::uint64_t n, const char* noun) {
    if (n != 0) text += fmt::format("{}{} {}", text.empty() ? "  " : ", ", noun, grouped(n));
  };
  add(c.context_switches, "context switches");
  add(c.flushed_lines, "metadata lines flushed");
  add(c.identity_switches, "identity switches");
  add(c.clears, "regions cleared");
  add(c.invalidated_lines, "metadata lines invalidated");
  add(c.copies, "regions copied");
  add(c.copied_lines, "metadata lines evicted for copies");
  add(c.granularity_changes, "accesses at another size than learnt");
  return text.empty() ? text : text + '\n';
}

std::string sweep_text(const std::pair<Sweep, std::vector<SweepRun>>& sweep) {
  Table t;
  t.row({sweep.first.key, "none", "radish", "overhead", "software checks/1000", "evictions/1000"});
  for (const SweepRun& s : sweep.second) {
    t.row({s.value, grouped(s.none.cycles), grouped(s.radish.cycles),
           overhead_text(overhead(&s.radish, &s.none)),
           rate(per_thousand(s.radish.counts.software_checks, s.radish.counts)),
           rate(per_thousand(s.radish.counts.metadata_evictions, s.radish.counts))});
  }
  return t.text(2);
}

std::string trace_text(const TraceRun& r) {
  std::string text;
  const auto to = std::back_inserter(text);
  const sim::Counts* c = r.machines.empty() ? nullptr : &r.machines.front().counts;
  fmt::format_to(to, "{}: {} of {}", r.trace, counted(r.events, "event"),
                 counted(r.threads, "thread"));
  if (c != nullptr) {
    fmt::format_to(to, ", {} and {}", counted(c->instructions, "instruction"),
                   counted(c->syncs, "synchronisation"));
  }
  text += r.partial ? ": partial\n\n" : "\n\n";
  if (c != nullptr && c->instructions <= c->accesses + c->syncs) {
    text +=
        "  The trace has no instruction counts: only its accesses take time "
        "(run.assumed_instructions helps).\n";
  }
  text += machines_table(r);
  if (const MachineRun* radish = r.machine(sim::Kind::Radish)) {
    text += '\n' + mechanisms_text(radish->counts) + contents_text(*radish) +
            other_text(radish->counts);
  }
  for (const auto& s : r.sweeps) text += '\n' + sweep_text(s);
  for (const RacyPlace& p : r.races) {
    fmt::format_to(to, "  race at event {}: {}\n", grouped(p.event + 1), p.where);
  }
  const MachineRun* radish = r.machine(sim::Kind::Radish);
  if (radish != nullptr && radish->counts.racy_accesses > r.races.size()) {
    fmt::format_to(to, "  and {} racy accesses more\n",
                   grouped(radish->counts.racy_accesses - r.races.size()));
  }
  return text + '\n';
}

std::string figure7(const std::vector<TraceRun>& runs) {
  Table t;
  t.row({"overhead over no detection", "fasttrack", "radish", "radish in % of fasttrack"});
  for (const TraceRun& r : runs) {
    const MachineRun* none = r.machine(sim::Kind::None);
    const double fasttrack = overhead(r.machine(sim::Kind::FastTrack), none);
    const double radish = overhead(r.machine(sim::Kind::Radish), none);
    t.row({r.trace, overhead_text(fasttrack), overhead_text(radish),
           std::isnan(fasttrack) || fasttrack <= 0
               ? "-"
               : fmt::format("{:.1f}", 100 * radish / fasttrack)});
  }
  return t.text(0);
}

std::string table2(const std::vector<TraceRun>& runs) {
  Table t;
  t.row({"per 1,000 instructions", "md evicts", "md inflates", "hw checks", "sw checks",
         "rollovers", "L1D misses (base/RADISH)"});
  for (const TraceRun& r : runs) {
    const MachineRun* radish = r.machine(sim::Kind::Radish);
    if (radish == nullptr) continue;
    const sim::Counts& c = radish->counts;
    const MachineRun* none = r.machine(sim::Kind::None);
    t.row({r.trace, rate(per_thousand(c.metadata_evictions, c)),
           rate(per_thousand(c.inflations, c)), rate(per_thousand(c.hardware_checks, c)),
           rate(per_thousand(c.software_checks, c)), rate(per_thousand(c.rollovers, c)),
           (none != nullptr ? rate(per_thousand(none->counts.l1_misses, none->counts)) : "-") +
               "/" + rate(per_thousand(c.l1_misses, c))});
  }
  return t.text(0);
}

std::string parameters(const sim::Config& config) {
  std::string text = "parameters:";
  std::string line;
  for (const sim::Setting& s : sim::settings(config)) {
    const std::string item =
        fmt::format("{}={}{}", s.key, s.value, s.value == s.fallback ? "" : "*");
    if (line.size() + item.size() > 96) {
      text += line + '\n';
      line = " ";
    }
    line += ' ' + item;
  }
  return text + line + "\n(*: not the default)\n";
}

}  // namespace

std::string simulate_text(const std::vector<TraceRun>& runs, const SimulatePlan& plan) {
  std::string text;
  for (const TraceRun& r : runs) {
    if (!r.unreadable) text += trace_text(r);
  }
  text += figure7(runs) + '\n' + table2(runs) + '\n' + parameters(plan.config);
  return text;
}

}  // namespace steward::cli
