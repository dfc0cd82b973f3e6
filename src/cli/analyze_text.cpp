#include "cli/analyze_text.h"

#include <fmt/format.h>
#include <iterator>

#include "cli/numbers.h"
#include "cli/pacer_work.h"
#include "cli/table.h"

namespace steward::cli {

namespace {

// "write at bank.c:12 by T1"
std::string end_text(const RaceEnd& end, const trace::Names& names) {
  const std::string site = names.site(end.site);
  return fmt::format("{}{}{} by {}", name(end.kind), site.empty() ? "" : " at ", site,
                     names.thread(end.thread));
}

std::string set_text(const std::vector<std::string>& locks) {
  return locks.empty() ? "no lock" : fmt::format("{{{}}}", fmt::join(locks, ", "));
}

const char* text_of(HappensBeforeSays says) {
  switch (says) {
    case HappensBeforeSays::NotAsked:
      return "not asked (add fasttrack to --detector)";
    case HappensBeforeSays::SamePair:
      return "yes";
    case HappensBeforeSays::SameBytes:
      return "yes, on these bytes, between other accesses";
    case HappensBeforeSays::Ordered:
      return "no: something other than a common lock orders them";
  }
  return "?";
}

// What the lockset detector adds to a race, or all there is of a broken discipline.
std::string locks_text(const LockFinding& l) {
  return fmt::format(
      "    locks held: {}; earlier {}; common to all accesses before: {}\n"
      "    a happens-before race in this run: {}\n",
      set_text(l.second_held), set_text(l.first_held), set_text(l.before),
      text_of(l.happens_before));
}

std::string found_by(const FoundRace& race, const AnalyzeResult& r) {
  std::string text;
  for (std::size_t i = 0; i < race.counts.size(); ++i) {
    if (race.counts[i] == 0) continue;
    fmt::format_to(std::back_inserter(text), "{}{} ({})", text.empty() ? "" : ", ",
                   r.pass->contestants[i].spec.text, counted(race.counts[i], "time"));
  }
  return text;
}

std::string detector_names(const AnalyzeResult& r) {
  const auto& list = r.pass->contestants;
  std::string text = list.size() == 1 ? "detector" : "detectors";
  const char* before = " ";
  for (const Contestant& c : list) {
    text += before + c.spec.text;
    before = ", ";
  }
  return text;
}

std::string sync_share(const Sampling& s) {
  return s.sampled_syncs ? percent(share(*s.sampled_syncs, s.syncs)) : "-";
}

}  // namespace

std::string races_text(const AnalyzeResult& r, std::uint64_t max, const Style& style) {
  std::string text;
  const auto to = std::back_inserter(text);
  std::uint64_t listed = 0;
  for (const FoundRace& race : r.races) {
    if (listed == max) break;
    ++listed;
    const Race& e = race.example;
    const bool discipline = race.only_lockset;
    fmt::format_to(to, "{} on {}: {} {} earlier {}\n",
                   style.race(discipline ? "no common lock" : "data race"),
                   r.names->variable(e.address), end_text(e.second, *r.names),
                   discipline ? "and" : "races with", end_text(e.first, *r.names));
    fmt::format_to(to, "    {} at event {}: no {} the two accesses\n", counted(e.size, "byte"),
                   grouped(e.event + 1), discipline ? "lock protects" : "synchronisation orders");
    if (race.locks) text += locks_text(*race.locks);
    fmt::format_to(to, "    found by {}\n", found_by(race, r));
  }
  if (const std::uint64_t more = r.races.size() - listed; more > 0) {
    fmt::format_to(to, "and {} more (--max-races {} lists all)\n", grouped(more), r.races.size());
  }
  if (const std::uint64_t more = r.unlisted(); more > 0) {
    fmt::format_to(to, "and {} beyond the {} distinct ones that are told apart\n",
                   counted(more, "dynamic race"), grouped(analyze::RaceTable::kMaxDistinct));
  }
  return text;
}

std::string comparison_text(const AnalyzeResult& r) {
  const Contestant* fasttrack = r.fasttrack();
  Table t;
  t.row({"", "distinct", "dynamic", "racy", "share of", "share", "accesses", "syncs", "", "events",
         "peak"});
  t.row({"detector", "races", "races", "addresses", "fasttrack", "of all", "sampled", "sampled",
         "time", "a second", "memory"});
  for (const Contestant& c : r.pass->contestants) {
    const Sampling s = sampling_of(c);
    t.row({c.spec.text, grouped(c.races.distinct().size()), grouped(c.races.dynamic()),
           grouped(c.races.racy_variables()),
           fasttrack != nullptr ? percent(r.share_found(c, fasttrack)) : "-",
           percent(r.share_found(c, nullptr)), percent(share(s.sampled_accesses, s.accesses)),
           sync_share(s), seconds_text(c.seconds()), rate_text(r.pass->events, c.seconds()),
           bytes_text(c.detector->peak_memory())});
  }
  return t.text(0);
}

std::string counters_text(const AnalyzeResult& r) {
  std::string text;
  for (const Contestant& c : r.pass->contestants) {
    if (!text.empty()) text += '\n';
    const std::vector<Stat> list = counters(c);
    const bool split = !list.empty() && list.front().split;
    Table t;
    t.row(split ? std::vector<std::string>{"", "sampling", "not sampling"}
                : std::vector<std::string>{"", "times"});
    for (const Stat& s : list) {
      if (s.outside == 0 && s.sampling == 0) continue;
      if (s.split) {
        t.row({s.name, grouped(s.sampling), grouped(s.outside)});
      } else {
        t.row({s.name, grouped(s.outside)});
      }
    }
    text += fmt::format("{}: rules applied (others never)\n{}", c.spec.text, t.text(2));
    if (c.spec.kind == analyze::DetectorKind::Pacer) {
      text += fmt::format("\n{}: cost of the operations (PACER paper, Table 3)\n{}", c.spec.text,
                          pacer_table(pacer_work(list)));
    }
  }
  return text;
}

std::string summary_text(const AnalyzeResult& r, const Style& style) {
  const Pass& p = *r.pass;
  std::string races = "no data race";
  if (!r.races.empty()) {
    const char* more = r.unlisted() > 0 ? "more than " : "";
    const std::size_t of_lockset = r.races.size() - r.race_count();
    races.clear();
    if (r.race_count() > 0) {
      races = fmt::format("{}{}", more, counted(r.race_count(), "distinct data race"));
    }
    if (of_lockset > 0) {
      races += fmt::format("{}{}{} of accesses without a common lock", races.empty() ? "" : " and ",
                           more, counted(of_lockset, "pair"));
    }
    races =
        style.race(fmt::format("{} on {}", races, counted(p.racy_addresses.size(), "variable")));
  }
  return fmt::format("{} {} in {}{} of {} ({}){}\n", style.strong("SUMMARY:"), races,
                     r.partial() ? "the first " : "", counted(p.events, "event"),
                     counted(p.threads, "thread"), detector_names(r),
                     r.partial() ? "; the result is partial" : "");
}

}  // namespace steward::cli
