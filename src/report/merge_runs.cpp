#include "report/merge_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "report/fingerprint.h"
#include "report/frequency.h"

namespace steward::report {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

Batch batch_of(const Report& report) {
  return {report.tool, report.sampling_rate.value_or(1), report.run.command, report.run.folder,
          1,           report.incomplete ? 1U : 0U};
}

bool is_whole(const Race& race) {
  return std::none_of(race.accesses.begin(), race.accesses.end(),
                      [](const Access& a) { return a.stack_lost || a.stack.empty(); });
}

// The worse verdict, and of two alike the one that more runs stand behind.
void take_verdict(Race& to, std::optional<Verdict>& from) {
  if (!from) return;
  const auto rank = [](const Verdict& v) { return std::pair(v.harm, ~v.runs); };
  if (!to.verdict || rank(*from) < rank(*to.verdict)) to.verdict = std::move(from);
}

void add_seen(std::vector<Seen>& to, const std::vector<Seen>& from) {
  for (const Seen& s : from) {
    const auto it =
        std::find_if(to.begin(), to.end(), [&](const Seen& t) { return t.batch == s.batch; });
    if (it == to.end()) {
      to.push_back(s);
    } else {
      it->runs += s.runs;
    }
  }
}

// Races by name, and by the name of one stack where only one is known.
class Index {
 public:
  explicit Index(const std::vector<Race>& races) {
    for (const Race& race : races) {
      whole_.insert(race.fingerprint);
      for (const std::string& half : half_fingerprints(race)) {
        if (half.empty()) continue;
        halves_.insert(half);
        if (!is_whole(race)) lonely_halves_.insert(half);
      }
    }
  }

  bool knows(const Race& race) const {
    if (whole_.contains(race.fingerprint)) return true;
    const auto own = half_fingerprints(race);
    const auto& others = is_whole(race) ? lonely_halves_ : halves_;
    return std::any_of(own.begin(), own.end(),
                       [&](const std::string& half) { return others.contains(half); });
  }

 private:
  std::set<std::string> whole_;
  std::set<std::string> halves_;
  std::set<std::string> lonely_halves_;  // of races whose other stack was lost
};

std::vector<Trials> all_trials(const Report& report) {
  std::vector<Trials> out;
  for (const Batch& batch : report.batches) out.push_back({batch.runs, 0, batch.sampling_rate});
  return out;
}

// Over the runs of those commands that showed the race at all: other programs say nothing of it.
Frequency frequency_of(const Race& race, const std::vector<Batch>& batches,
                       const std::multimap<std::vector<std::string>, std::size_t>& by_command) {
  std::map<std::size_t, Trials> trials;
  for (const Seen& seen : race.seen) {
    const auto [begin, end] = by_command.equal_range(batches[seen.batch].command);
    for (auto it = begin; it != end; ++it) {
      const Batch& batch = batches[it->second];
      trials.try_emplace(it->second, Trials{batch.runs, 0, batch.sampling_rate});
    }
    trials[seen.batch].seen += seen.runs;
  }
  std::vector<Trials> list;
  for (const auto& [batch, one] : trials) list.push_back(one);
  return estimate_frequency(list);
}

}  // namespace

std::size_t RunMerger::batch(const Batch& like) {
  const std::string key =
      fmt::format("{}\n{}\n{}", like.tool, like.sampling_rate, fmt::join(like.command, "\n"));
  const auto [it, fresh] = batches_.try_emplace(key, report_.batches.size());
  if (fresh) {
    report_.batches.push_back(like);
  } else {
    report_.batches[it->second].runs += like.runs;
    report_.batches[it->second].incomplete += like.incomplete;
  }
  return it->second;
}

std::vector<std::size_t> RunMerger::add_batches(const Report& report) {
  std::vector<std::size_t> out;
  for (const Batch& b : report.batches) out.push_back(batch(b));
  if (out.empty()) out.push_back(batch(batch_of(report)));
  return out;
}

std::size_t RunMerger::find(const Race& race) const {
  const auto it = by_fingerprint_.find(race.fingerprint);
  if (it != by_fingerprint_.end()) return it->second;
  if (is_whole(race)) return kNone;
  for (const std::string& half : half_fingerprints(race)) {
    const auto like = by_half_.find(half);
    if (like != by_half_.end()) return like->second;
  }
  return kNone;
}

void RunMerger::absorb(std::size_t index, Race& race, const std::vector<Seen>& seen,
                       std::size_t from) {
  Race& kept = report_.races[index];
  kept.count += race.count;
  take_verdict(kept, race.verdict);
  // Two races of one run may be one race here: deeper in a recursion, say.
  if (std::exchange(counted_[index], from) != from) add_seen(kept.seen, seen);
}

void RunMerger::insert(Race race, std::vector<Seen> seen, std::size_t from) {
  const std::size_t index = report_.races.size();
  by_fingerprint_.emplace(race.fingerprint, index);
  if (is_whole(race)) {
    for (const std::string& half : half_fingerprints(race)) by_half_.emplace(half, index);
  }
  race.seen = std::move(seen);
  report_.races.push_back(std::move(race));
  counted_.push_back(from);
}

void RunMerger::add_race(Race race, const Report& from, const std::vector<std::size_t>& batches) {
  std::vector<Seen> seen;
  if (from.batches.empty()) {
    seen.push_back({batches[0], 1});
  } else {
    for (const Seen& s : race.seen) {
      if (s.batch < batches.size()) add_seen(seen, {{batches[s.batch], s.runs}});
    }
  }
  if (const std::size_t known = find(race); known != kNone) {
    absorb(known, race, seen, reports_);
  } else if (is_whole(race)) {
    insert(std::move(race), std::move(seen), reports_);
  } else {
    half_known_.push_back({std::move(race), std::move(seen), reports_});
  }
}

void RunMerger::add(Report report) {
  ++reports_;
  const std::vector<std::size_t> batches = add_batches(report);
  std::map<std::uint32_t, std::uint32_t> numbers;  // of runs: theirs to ours
  std::erase_if(report.races, [](const Race& race) { return race.accesses.size() != 2; });
  // Those with both stacks first: the others look for their like among them.
  std::stable_partition(report.races.begin(), report.races.end(), is_whole);
  for (Race& race : report.races) {
    const auto [it, fresh] = numbers.try_emplace(race.run, runs_);
    if (fresh) ++runs_;
    race.run = it->second;
    for (Thread& thread : race.threads) thread.run = it->second;
    if (race.fingerprint.empty()) race.fingerprint = fingerprint(race);
    add_race(std::move(race), report, batches);
  }
  if (report_.tool.empty()) report_.tool = report.tool;
  if (report_.version.empty()) report_.version = report.version;
  if (reports_ == 1) {
    report_.settings = std::move(report.settings);
    report_.sampling_rate = report.sampling_rate;
    report_.run = std::move(report.run);
    report_.processes = std::move(report.processes);
  }
  const auto append_new = [](auto& to, auto& from, auto same) {
    for (auto& one : from) {
      if (std::none_of(to.begin(), to.end(), [&](const auto& o) { return same(o, one); })) {
        to.push_back(std::move(one));
      }
    }
  };
  append_new(report_.problems, report.problems, std::equal_to<>());
  append_new(report_.messages, report.messages,
             [](const Message& a, const Message& b) { return a.text == b.text; });
  for (const auto& [key, value] : report.stats) report_.stats[key] += value;
  report_.suppressed += report.suppressed;
  report_.incomplete = report_.incomplete || report.incomplete;
  for (auto& [file, lines] : report.sources) report_.sources[file].merge(lines);
}

Report RunMerger::finish() {
  for (Pending& pending : half_known_) {
    if (const std::size_t like = find(pending.race); like != kNone) {
      absorb(like, pending.race, pending.seen, pending.report);
    } else {
      insert(std::move(pending.race), std::move(pending.seen), pending.report);
    }
  }
  half_known_.clear();

  std::multimap<std::vector<std::string>, std::size_t> by_command;
  for (std::size_t i = 0; i < report_.batches.size(); ++i) {
    by_command.emplace(report_.batches[i].command, i);
  }
  std::set<std::tuple<std::uint32_t, int, std::uint32_t>> listed;
  for (Race& race : report_.races) {
    race.frequency = frequency_of(race, report_.batches, by_command);
    for (const Thread& t : race.threads) {
      if (listed.emplace(t.run, t.pid, t.id).second) report_.threads.push_back(t);
    }
  }
  report_.unseen = largest_unseen(all_trials(report_));
  std::stable_sort(report_.races.begin(), report_.races.end(), [](const Race& a, const Race& b) {
    return std::tuple(a.harm() != Harm::Destructive, ~a.runs_seen()) <
           std::tuple(b.harm() != Harm::Destructive, ~b.runs_seen());
  });
  return std::move(report_);
}

void compare(Report& report, const Report& baseline) {
  const Index old(baseline.races);
  const Index now(report.races);
  for (Race& race : report.races) {
    race.novelty = old.knows(race) ? Novelty::Known : Novelty::New;
  }
  std::copy_if(baseline.races.begin(), baseline.races.end(), std::back_inserter(report.gone),
               [&](const Race& race) { return !now.knows(race); });
  // New ones first, in the order there was.
  std::stable_partition(report.races.begin(), report.races.end(),
                        [](const Race& r) { return r.novelty == Novelty::New; });
}

}  // namespace steward::report
