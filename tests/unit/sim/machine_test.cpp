// Caches, coherence, time, and the events that the equivalence tests do not count.
#include "sim/run/machine.h"

#include <gtest/gtest.h>

#include "unit/sim/compare.h"

namespace steward::test {
namespace {

using namespace sim;

constexpr Address kA = 0x10000;

struct Result {
  std::uint64_t cycles;
  Counts counts;
};
Result run(const Trace& trace, const Config& config = {}, Kind kind = Kind::Radish) {
  RacySet found;
  const auto m = make_simulation(kind, config);
  m->process(trace, found);
  return {m->cycles(), m->counts()};
}
std::uint64_t plain(const Trace& trace, const Config& config = {}) {
  return run(trace, config, Kind::None).cycles;
}

TEST(Coherence, LatenciesOfSection6) {
  EXPECT_EQ(plain({rd(0, kA)}), 120u);
  EXPECT_EQ(plain({rd(0, kA), rd(0, kA + 8)}), 121u);
  EXPECT_EQ(plain({instructions(0, 7), wr(0, kA)}), 127u);

  // Eight more lines of the same L1 set: the first is then in L2. Of the same L2 set: in L3.
  Trace l2{rd(0, kA)}, l3{rd(0, kA)};
  for (unsigned i = 1; i <= 8; ++i) {
    l2.push_back(rd(0, kA + i * 8192));
    l3.push_back(rd(0, kA + i * 32768));
  }
  const std::uint64_t before2 = plain(l2), before3 = plain(l3);
  l2.push_back(rd(0, kA));
  l3.push_back(rd(0, kA));
  EXPECT_EQ(plain(l2) - before2, 10u);
  EXPECT_EQ(plain(l3) - before3, 35u);
}

TEST(Coherence, States) {
  const Config config;
  Hierarchy h(config);
  Line& line = h.hold(0, 1);
  const auto states = [&] { return std::string{h.state(0, line), h.state(1, line)}; };
  EXPECT_EQ(states(), "II");
  EXPECT_TRUE(h.read(0, line).coherence);
  EXPECT_EQ(states(), "EI");
  EXPECT_FALSE(h.write(0, line).coherence) << "Exclusive becomes Modified in silence";
  EXPECT_EQ(states(), "MI");
  EXPECT_EQ(h.read(1, line).latency, 15u);
  EXPECT_EQ(states(), "SS");
  const auto upgrade = h.write(1, line);
  EXPECT_TRUE(upgrade.coherence);
  EXPECT_EQ(states(), "IM");
  EXPECT_EQ(h.write(0, line).latency, 15u);
  EXPECT_EQ(states(), "MI");
  h.release(line);
}

TEST(Status, Figure5) {
  Line l;
  const auto now = [&] { return std::string(name(status(l, 3))); };
  EXPECT_EQ(now(), "InSoftware");
  written(l, 8);
  EXPECT_EQ(now(), "Everything");
  read_evicted(l, 8);
  EXPECT_EQ(now(), "LastWrite");
  write_evicted(l, 8);
  EXPECT_EQ(now(), "InSoftware");
  written(l, 8);
  write_evicted(l, 8);
  EXPECT_EQ(now(), "AllLastReads");
  read_evicted(l, 8);
  EXPECT_EQ(now(), "InSoftware");
  EXPECT_EQ(status(l, 2), InHardware::InSoftware);
}

TEST(Checks, FirstAccessInSoftwareThenPermissions) {
  const Result r = run({rd(0, kA), rd(0, kA), wr(0, kA), rd(0, kA + 32), wr(0, kA + 56)});
  EXPECT_EQ(r.counts.by_software, 1u) << "the check imported the whole line";
  EXPECT_EQ(r.counts.by_permission, 4u);
  Config alone;
  alone.import_line = false;
  EXPECT_EQ(run({rd(0, kA), rd(0, kA), rd(0, kA + 32)}, alone).counts.by_software, 2u);
}

TEST(Checks, SoftwareCostsAtLeastItsEntry) {
  Config c;
  const std::uint64_t with = run({rd(0, kA)}, c).cycles;
  EXPECT_GE(with - plain({rd(0, kA)}), 100u + 10u);
  c.software_entry = 1000;
  EXPECT_EQ(run({rd(0, kA)}, c).cycles, with + 900);
}

TEST(Metadata, InflatesAtTheFirstByte) {
  EXPECT_EQ(run({wr(0, kA, 4), wr(0, kA + 4, 8), wr(0, kA + 16, 8), rd(0, kA + 32, 2)}).counts.inflations, 0u);
  EXPECT_EQ(run({wr(0, kA, 4), wr(0, kA + 33, 1), wr(0, kA + 34, 1)}).counts.inflations, 1u);
  Config expanded;
  expanded.compact = false;
  EXPECT_EQ(run({wr(0, kA, 4), wr(0, kA + 33, 1)}, expanded).counts.inflations, 0u);
}

TEST(Metadata, ContentsAreCounted) {
  Config c;
  c.sample = 1;
  RacySet found;
  Machine<RadishDetection> m(c, Fault::None);
  m.process(Trace{wr(0, kA, 4)}, found);
  EXPECT_EQ(m.hierarchy().contents().compact, 3u) << "in L1, L2 and L3";
  EXPECT_EQ(m.hierarchy().contents().expanded, 0u);
  m.process(Trace{wr(0, kA + 63, 1)}, found);
  EXPECT_EQ(m.hierarchy().contents().compact, 0u);
  EXPECT_EQ(m.hierarchy().contents().expanded, 6u);
  EXPECT_FALSE(m.samples().empty());
}

// 63 clocks have a code at a time. Bytes written at ever new times need one each; words do not.
Trace new_time_each(unsigned size) {
  Trace t;
  for (unsigned i = 0; i < 200; ++i) {
    t.push_back(wr(0, kA + 8 * i, size));
    t.push_back(rel(0, 1));
  }
  return t;
}
TEST(Clocks, Rollovers) {
  EXPECT_EQ(run(new_time_each(8)).counts.rollovers, 0u);
  const Result table = run(new_time_each(1));
  EXPECT_EQ(table.counts.rollovers, 3u);
  EXPECT_GE(table.cycles, 300'000u);
  // The table keeps what is referred to, the offset all that is within reach.
  Trace one;
  for (unsigned i = 0; i < 200; ++i) {
    one.push_back(wr(0, kA, 1));
    one.push_back(rel(0, 1));
  }
  EXPECT_EQ(run(one).counts.rollovers, 0u);
  Config offset;
  offset.clocks = ClockCoding::Offset;
  EXPECT_GE(run(one, offset).counts.rollovers, 3u);
}

TEST(Filter, StackAndRaceFreePages) {
  const Trace t{stack_of(0, kA, 4096), wr(0, kA + 8), wr(1, kA + 8), wr(0, kA + 4092, 8)};
  const Result r = run(t);
  EXPECT_EQ(r.counts.stack, 1u) << "its own, and wholly";
  EXPECT_EQ(r.counts.by_software, 2u);
  Config c;
  c.filter_stack = false;
  EXPECT_EQ(run(t, c).counts.stack, 0u);
  EXPECT_EQ(run(t, c).counts.racy_accesses, 1u);
  c.race_free = {{0x1000, 0x2000}, {kA, kA + 0x1000}};
  EXPECT_EQ(run(t, c).counts.race_free, 2u);
  EXPECT_EQ(run(t, c).counts.racy_accesses, 0u);
}

TEST(Async, ChecksAreDrainedAtSynchronisationAndSystemCalls) {
  Trace t;
  for (unsigned i = 0; i < 50; ++i) t.push_back(wr(0, kA + 64 * i));
  Config spare;
  spare.async_cores = 1;
  const auto of_core0 = [&](const Trace& trace, const Config& c) {
    // A second thread joins the first: the end of the join is the first one's time.
    Trace all = trace;
    all.push_back(end(0));
    return run(all, c);
  };
  EXPECT_LT(of_core0(t, spare).counts.software_checks, 51u);
  RacySet found;
  Machine<RadishDetection> m(spare, Fault::None);
  m.process(t, found);
  const std::uint64_t spare_done = m.cycles();
  m.process(Trace{syscall_of(0), instructions(0, 5)}, found);
  EXPECT_EQ(m.cycles(), spare_done + 6) << "the call waits for the last check";
  EXPECT_LT(spare_done, run(t).cycles) << "overlapped";
}

TEST(Scheduling, ThreadsThatOutnumberCores) {
  Config c;
  c.cores = 1;
  const Trace t{wr(0, kA), wr(1, kA + 64), wr(0, kA)};
  const Result eager = run(t, c);
  EXPECT_EQ(eager.counts.context_switches, 2u);
  EXPECT_EQ(eager.counts.flushed_lines, 2u);
  EXPECT_EQ(eager.counts.by_software, 3u);
  c.flush = Flush::Lazy;
  const Result lazy = run(t, c);
  EXPECT_EQ(lazy.counts.flushed_lines, 0u);
  EXPECT_EQ(lazy.counts.by_software, 2u) << "its metadata was still there";
}

TEST(Time, SynchronisationOrdersCores) {
  Config c;
  c.sync = 0;
  // T1 waits for T0's release, however early it asks.
  const Trace t{instructions(0, 1000), rel(0, kA), acq(1, kA), instructions(1, 10)};
  EXPECT_GE(plain(t, c), 1010u);
  EXPECT_LT(plain({instructions(0, 1000), rel(0, kA), instructions(1, 10)}, c), 1200u);
  EXPECT_GE(plain({fork(0, 1), instructions(1, 500), end(1), join(0, 1), instructions(0, 1)}, c),
            501u);
}

TEST(Lard, ClearsAndCopiesByThePage) {
  const Result r = run({wr(0, kA), free_of(0, kA - 8, 4096), wr(1, kA)});
  EXPECT_EQ(r.counts.clears, 2u) << "it crosses a page";
  EXPECT_EQ(r.counts.invalidated_lines, 1u);
  EXPECT_EQ(r.counts.racy_accesses, 0u);
  const Result moved = run({wr(0, kA), move_of(0, kA, kA + 0x5000, 64), wr(1, kA + 0x5000)});
  EXPECT_EQ(moved.counts.copies, 1u);
  EXPECT_EQ(moved.counts.copied_lines, 1u);
  EXPECT_EQ(moved.counts.racy_accesses, 1u) << "the history went along";
  const Result identity = run({wr(0, kA), switch_to(0, 7), wr(0, kA)});
  EXPECT_EQ(identity.counts.identity_switches, 1u);
  EXPECT_EQ(identity.counts.racy_accesses, 1u) << "another thread of the language";
  Config off;
  off.lard = false;
  EXPECT_EQ(run({wr(0, kA), switch_to(0, 7), wr(0, kA)}, off).counts.racy_accesses, 0u);
  const Result system = run({of_system(wr(0, kA)), wr(1, kA)});
  EXPECT_EQ(system.counts.untracked, 1u);
  EXPECT_EQ(system.counts.racy_accesses, 0u);
}

TEST(Memory, IsBoundedByTheCaches) {
  Config c = tiny(2);
  RacySet found;
  Machine<RadishDetection> m(c, Fault::None);
  Trace t;
  for (unsigned i = 0; i < 10000; ++i) t.push_back(rd(i % 2, kA + 64 * i));
  m.process(t, found);
  EXPECT_LE(m.hierarchy().lines().size(), c.l3.size / 64);
  EXPECT_LE(m.hierarchy().copies().live(), c.l3.size / 64);
  EXPECT_GT(m.counts().metadata_evictions, 9000u);
  EXPECT_GT(m.counts().handler_runs, 1000u);
}

}  // namespace
}  // namespace steward::test
