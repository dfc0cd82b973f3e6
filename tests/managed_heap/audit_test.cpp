// LARD's claims on the managed heap (paper, section 5.2): with all rules a detector of the
// machine's execution says what a detector of the program's own says, access by access, on every
// workload and with either collector; without any one rule it does not.
#include "analyze/audit.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "core/oracle/oracle.h"
#include "trace/feasibility.h"

#include "analyze/make_detector.h"
#include "workloads.h"

namespace steward::test {
namespace {

using managed::CollectorKind;
using managed::Workload;
using managed::world::Recording;

struct Setting {
  const Workload* workload;
  CollectorKind collector;
  unsigned carriers;
  std::string name() const {
    return std::string(workload->name) +
           (collector == CollectorKind::Semispace ? " semispace" : " mark-sweep") +
           (carriers != 0 ? " green" : "");
  }
};

Recording recorded(const Setting& r, unsigned rounds,
                   managed::HeapStatistics* statistics = nullptr) {
  return managed::world::record(7, r.carriers, [&] {
    managed::Heap heap(r.collector,
                       r.collector == CollectorKind::Semispace ? 20 * 1024 : 12 * 1024);
    {
      managed::Mutator main(heap);
      r.workload->run(main, rounds);
    }
    if (statistics != nullptr) *statistics = heap.statistics();
  });
}

std::vector<Setting> all_runs() {
  std::vector<Setting> runs;
  for (const Workload& w : managed::workloads()) {
    for (const CollectorKind c : {CollectorKind::MarkSweep, CollectorKind::Semispace}) {
      for (const unsigned carriers : {0u, 2u}) runs.push_back({&w, c, carriers});
    }
  }
  return runs;
}

// The accesses at which a detector reports, as numbers of the program's accesses.
struct Reported final : RaceSink {
  void race(const Race& r) override {
    events.insert(r.event);
    addresses.insert(r.address);
  }
  std::set<std::uint64_t> events;
  std::set<Address> addresses;
};
std::set<std::uint64_t> accesses(const std::vector<Event>& trace,
                                 const std::set<std::uint64_t>& events) {
  std::set<std::uint64_t> numbers;
  std::uint64_t n = 0;
  for (std::uint64_t i = 0; i < trace.size(); ++i) {
    if (!trace[i].is_access() || trace[i].system) continue;
    if (events.count(i) != 0) numbers.insert(n);
    ++n;
  }
  return numbers;
}
Reported reports(const std::vector<Event>& trace, analyze::DetectorKind kind) {
  analyze::DetectorSpec spec;
  spec.kind = kind;
  Reported found;
  analyze::make_detector(spec)->process(trace, found);
  return found;
}

TEST(ManagedHeap, WithAllRulesTheMachinesRacesAreThePrograms) {
  for (const Setting& r : all_runs()) {
    SCOPED_TRACE(r.name());
    managed::HeapStatistics statistics;
    const Recording recording = recorded(r, 300, &statistics);
    EXPECT_GE(statistics.collections, 3u);
    EXPECT_EQ(statistics.moved > 0, r.collector == CollectorKind::Semispace);
    const Reported machine = reports(recording.machine, analyze::DetectorKind::FastTrack);
    const Reported truth = reports(recording.truth, analyze::DetectorKind::FastTrack);
    EXPECT_EQ(accesses(recording.machine, machine.events), accesses(recording.truth, truth.events));
    EXPECT_EQ(truth.events.empty(), !r.workload->racy);
    EXPECT_EQ(truth.addresses, reports(recording.truth, analyze::DetectorKind::Generic).addresses);
  }
}

// The same against sets and definitions, on runs short enough for them.
TEST(ManagedHeap, AnOracleOfObjectsByIdentityAgrees) {
  std::size_t racy = 0;
  for (const Setting& r : all_runs()) {
    SCOPED_TRACE(r.name());
    const Recording recording = recorded(r, 24);
    oracle::Oracle<> oracle;
    std::set<Address> expected;
    for (const Event& e : recording.truth) {
      if (!oracle.add(e).empty()) expected.insert(e.address);
    }
    EXPECT_EQ(reports(recording.truth, analyze::DetectorKind::FastTrack).addresses, expected);
    racy += expected.empty() ? 0 : 1;
  }
  EXPECT_EQ(racy, 16u) << "four workloads, two collectors, green or not";
}

TEST(ManagedHeap, WithoutAnyOneRuleTheyAreNot) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sums;  // false, missed
  for (const Setting& r : all_runs()) {
    SCOPED_TRACE(r.name());
    analyze::Audit audit;
    audit.process(recorded(r, 300).machine);
    for (const analyze::AuditedDetector& d : audit.detectors()) {
      const std::string name = d.rules->name;
      sums[name].first += d.in_vain.accesses;
      sums[name].second += d.missed.accesses;
      if (name == "LARD") {
        EXPECT_EQ(d.in_vain.accesses + d.missed.accesses, 0u);
      }
      // What cannot be, whatever the program.
      if (name == "AllSync") {
        EXPECT_EQ(d.in_vain.accesses, 0u) << "order invents no race";
      }
      if (name == "NoCopy" && r.collector == CollectorKind::MarkSweep) {
        EXPECT_EQ(d.in_vain.accesses + d.missed.accesses, 0u) << "nothing moves";
      }
      if (name == "NoIdentity" && r.carriers == 0) {
        EXPECT_EQ(d.in_vain.accesses + d.missed.accesses, 0u) << "threads are the kernel's";
      }
    }
  }
  EXPECT_GT(sums["AllMem"].first, 0u);
  EXPECT_GT(sums["AllSync"].second, 0u);
  EXPECT_GT(sums["NoClear"].first, 0u);
  EXPECT_GT(sums["NoCopy"].second, 0u);
  EXPECT_GT(sums["NoIdentity"].first, 0u);
  EXPECT_GT(sums["NoIdentity"].second, 0u);
  EXPECT_GT(sums["Naive"].first, 0u);
  EXPECT_GT(sums["Naive"].second, 0u);
}

TEST(ManagedHeap, RecordingsAreFeasibleAndCanBeHadAgain) {
  for (const Setting& r : all_runs()) {
    SCOPED_TRACE(r.name());
    const Recording once = recorded(r, 40);
    trace::Feasibility check(once.names);
    for (const Event& e : once.machine) {
      const auto complaint = check.check(e);
      ASSERT_FALSE(complaint) << *complaint;
    }
    EXPECT_TRUE(once.truth == recorded(r, 40).truth);
  }
}

}  // namespace
}  // namespace steward::test
