#include "cli/analyze_result.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cli/numbers.h"
#include "cli/pacer_work.h"
#include "core/lockset/lock_sets.h"

namespace steward::cli {

namespace {

using RaceKey = std::tuple<std::uint32_t, std::uint32_t, AccessKind, AccessKind, Address>;

// What RaceTable calls the same race.
RaceKey key_of(const Race& r) {
  const bool sites_known = r.first.site != kNoSite && r.second.site != kNoSite;
  return {raw(r.first.site), raw(r.second.site), r.first.kind, r.second.kind,
          sites_known ? 0 : r.address};
}

std::vector<std::string> lock_names(std::span<const std::uint64_t> locks,
                                    const trace::Names& names) {
  std::vector<std::string> list;
  for (const std::uint64_t l : locks) {
    list.push_back(l == lockset::kAtomicity ? "atomicity" : names.sync(SyncId{l}));
  }
  return list;
}

HappensBeforeSays happens_before(const std::vector<Contestant>& contestants, const Race& r) {
  auto says = HappensBeforeSays::NotAsked;
  for (const Contestant& c : contestants) {
    if (c.spec.kind != analyze::DetectorKind::FastTrack &&
        c.spec.kind != analyze::DetectorKind::Generic) {
      continue;
    }
    for (const analyze::DistinctRace& d : c.races.distinct()) {
      if (key_of(d.example) == key_of(r)) return HappensBeforeSays::SamePair;
    }
    if (c.races.any_on(r.address, r.size)) {
      says = HappensBeforeSays::SameBytes;
    } else if (says == HappensBeforeSays::NotAsked) {
      says = HappensBeforeSays::Ordered;
    }
  }
  return says;
}

LockFinding lock_finding(const std::vector<Contestant>& contestants, std::size_t by, const Race& r,
                         const trace::Names& names) {
  const Detector& d = *contestants[by].detector;
  return {lock_names(d.locks_of(r.first.held), names), lock_names(d.locks_of(r.second.held), names),
          lock_names(d.locks_of(r.lockset), names), happens_before(contestants, r)};
}

std::vector<FoundRace> merged(const std::vector<Contestant>& contestants,
                              const trace::Names& names) {
  std::vector<FoundRace> races;
  std::map<RaceKey, std::size_t> index;
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    for (const analyze::DistinctRace& r : contestants[c].races.distinct()) {
      const auto [at, is_new] = index.emplace(key_of(r.example), races.size());
      if (is_new) {
        races.push_back({r.example, std::vector<std::uint64_t>(contestants.size()), {}, true});
      }
      FoundRace& race = races[at->second];
      race.counts[c] = r.count;
      if (contestants[c].spec.kind != analyze::DetectorKind::Lockset) {
        race.only_lockset = false;
      } else if (!race.locks) {
        race.locks = lock_finding(contestants, c, r.example, names);
      }
      if (r.example.event < race.example.event) race.example = r.example;
    }
  }
  std::stable_sort(races.begin(), races.end(), [](const FoundRace& a, const FoundRace& b) {
    return a.example.event < b.example.event;
  });
  return races;
}

}  // namespace

AnalyzeResult gather(const Pass& pass, const trace::Reader& reader, const std::string& trace) {
  return {&pass,           &reader.names(),     trace,
          reader.format(), reader.bytes_read(), merged(pass.contestants, reader.names())};
}

std::size_t AnalyzeResult::race_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(races, [](const FoundRace& r) { return !r.only_lockset; }));
}

const Contestant* AnalyzeResult::fasttrack() const {
  for (const Contestant& c : pass->contestants) {
    if (c.spec.kind == analyze::DetectorKind::FastTrack) return &c;
  }
  return nullptr;
}

double AnalyzeResult::share_found(const Contestant& c, const Contestant* by) const {
  const auto index = [this](const Contestant& x) {
    return static_cast<std::size_t>(&x - pass->contestants.data());
  };
  std::uint64_t all = 0;
  std::uint64_t found = 0;
  for (const FoundRace& r : races) {
    if (by != nullptr && r.counts[index(*by)] == 0) continue;
    ++all;
    if (r.counts[index(c)] != 0) ++found;
  }
  return share(found, all);
}

std::uint64_t AnalyzeResult::unlisted() const {
  std::uint64_t sum = 0;
  for (const Contestant& c : pass->contestants) sum += c.races.unlisted();
  return sum;
}

std::vector<Stat> counters(const Contestant& c) {
  std::vector<Stat> list;
  c.detector->for_each_stat([&](const Stat& s) { list.push_back(s); });
  return list;
}

Sampling sampling_of(const Contestant& c) {
  const SampledWork w = c.detector->work();
  Sampling s{w.accesses, w.sampled_accesses, w.syncs, w.sampled_syncs};
  if (c.spec.kind == analyze::DetectorKind::LiteRace) s.sampled_syncs = w.syncs;  // it skips none
  if (c.spec.kind == analyze::DetectorKind::Pacer && c.spec.rate_from_trace) {
    // Sampled accesses all take the slow path.
    const PacerWork work = pacer_work(counters(c));
    s.sampled_accesses = work.reads.slow[1] + work.writes.slow[1];
    s.sampled_syncs.reset();
  }
  return s;
}

}  // namespace steward::cli
