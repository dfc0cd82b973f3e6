// The audit: what each detector of LARD's Table 3 reports in vain and misses, on traces that need
// one rule each.
#include "analyze/audit.h"

#include <gtest/gtest.h>
#include <string>

#include "support/events.h"

namespace steward::analyze {
namespace {

using namespace steward::test;

constexpr Address kObject = 0x1000, kMoved = 0x2000;

struct Amounts {
  std::uint64_t in_vain, missed;
  bool operator==(const Amounts&) const = default;
};

Amounts of(const Audit& audit, const std::string& name) {
  for (const AuditedDetector& d : audit.detectors()) {
    if (name == d.rules->name) return {d.in_vain.accesses, d.missed.accesses};
  }
  ADD_FAILURE() << "no detector " << name;
  return {};
}

Trace all_rules() {
  return numbered({
      // 1, 2: the collector reads what T1 writes; the heap's lock comes between T1 and T2
      wr(1, kObject),
      of_system(rd(9, kObject)),
      of_system(rel(1, 5)),
      of_system(acq(2, 5)),
      wr(2, kObject),
      // 3: memory that is used again
      wr(1, kObject + 64),
      of_system(free_of(9, kObject + 64, 8)),
      wr(2, kObject + 64),
      // 4: an object that moves
      wr(1, kObject + 128),
      of_system(move_of(9, kObject + 128, kMoved, 8)),
      of_system(free_of(9, kObject + 128, 8)),
      wr(2, kMoved),
      // 5: two threads on one carrier
      switch_to(30, 31),
      wr(30, kObject + 192),
      switch_to(30, 32),
      wr(30, kObject + 192),
  });
}

TEST(Audit, EachRuleIsMissedWhereItIsNeeded) {
  Audit audit;
  audit.process(all_rules());
  EXPECT_EQ(audit.detectors()[0].all.accesses, 3u) << "T2's first, the moved one, the fibers'";
  EXPECT_EQ(of(audit, "LARD"), (Amounts{0, 0}));
  EXPECT_EQ(of(audit, "AllMem"), (Amounts{1, 0})) << "the collector's read";
  EXPECT_EQ(of(audit, "AllSync"), (Amounts{0, 1})) << "ordered by the heap's lock";
  EXPECT_EQ(of(audit, "NoClear"), (Amounts{1, 0}));
  EXPECT_EQ(of(audit, "NoCopy"), (Amounts{0, 1}));
  EXPECT_EQ(of(audit, "NoIdentity"), (Amounts{0, 1}));
  EXPECT_EQ(of(audit, "Naive"), (Amounts{2, 2}));
}

TEST(Audit, BatchesDoNotMatter) {
  Audit whole, single;
  const Trace trace = all_rules();
  whole.process(trace);
  for (const Event& e : trace) single.process({&e, 1});
  for (const AuditRules& r : audited()) EXPECT_EQ(of(whole, r.name), of(single, r.name)) << r.name;
}

TEST(Audit, AReportIsAnAccessNotARace) {
  // The last write races with two reads: one report, at one place.
  Audit audit;
  audit.process(numbered({rd(1, kObject), rd(2, kObject), of_system(free_of(1, kObject, 8)),
                          wr(3, kObject), wr(3, kObject)}));
  EXPECT_EQ(of(audit, "NoClear"), (Amounts{1, 0}));
  const AuditedDetector& no_clear = audit.detectors()[3];
  EXPECT_EQ(no_clear.in_vain.sites, std::set{SiteId{4}});
  ASSERT_TRUE(no_clear.in_vain.first);
  EXPECT_EQ(no_clear.in_vain.first->event, 3u);
}

TEST(Audit, PlacesAreCountedOnce) {
  Audit audit;
  Trace t;
  for (unsigned i = 0; i < 10; ++i) {
    t.push_back(wr(1, kObject + 8 * i));
    t.push_back(of_system(free_of(1, kObject + 8 * i, 8)));
    t.push_back(wr(2, kObject + 8 * i));
    t.back().site = SiteId{7};
  }
  audit.process(t);
  EXPECT_EQ(of(audit, "NoClear"), (Amounts{10, 0}));
  EXPECT_EQ(audit.detectors()[3].in_vain.sites.size(), 1u);
}

}  // namespace
}  // namespace steward::analyze
