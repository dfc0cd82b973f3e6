// The RADISH paper's Table 1 (Section 4.7), cell by cell: one location, three threads, two of them
// on cores. Its first reader holds the line Shared, so the machine has no Exclusive state.
#include <gtest/gtest.h>

#include "sim/run/machine.h"

#include "unit/sim/compare.h"

namespace steward::test {
namespace {

using namespace sim;

constexpr Address kX = 0x1000;
constexpr std::uint64_t kLock = 0x2000;

struct Table1 : testing::Test {
  struct Nothing final : RacySink {
    void race(const RacyAccess&) override { ADD_FAILURE() << "a race"; }
  };

  static Config config() {
    Config c;
    c.cores = 2;
    c.protocol = Protocol::Msi;
    return c;
  }

  // Brings thread t's clock to c by releases of a lock that nobody acquires.
  void advance(unsigned t, Clock c) {
    while (order().thread(ThreadId{t}).now.clock() < c) run({rel(t, 0x3000 + 64 * t)});
  }
  HappensBefore& order() { return machine.order(); }
  void run(const Trace& t) { machine.process(t, nothing); }

  // The clocks of threads 0 and 1, as "9,4".
  std::string clock(unsigned t) {
    const VectorClock& c = order().thread(ThreadId{t}).clock;
    return std::to_string(c[Slot{0}]) + "," + std::to_string(c[Slot{1}]);
  }
  // Coherence state, permission, read and write clock: "S W 9 2".
  std::string core(unsigned p) {
    const Line* line = machine.hierarchy().lines().find(kX >> 6);
    const Radish::View v = radish().view(p, kX);
    std::string s(1, line == nullptr ? 'I' : machine.hierarchy().state(p, *line));
    if (v.permission == '-') return s + " -";
    return s + " " + v.permission + " " + std::to_string(v.read) + " " + std::to_string(v.write);
  }
  std::string software() {
    std::string s;
    for (const auto& vector : {radish().software_reads(kX, 3), radish().software_writes(kX, 3)}) {
      for (const Clock c : vector)
        s += (s.empty() || s.back() == ' ' ? "" : ",") + std::to_string(c);
      s += ' ';
    }
    s.pop_back();
    return s;
  }
  std::string status() { return name(radish().view(0, kX).status); }
  Radish& radish() { return machine.detection().radish(); }

  // One row of the table.
  void expect(const char* sw, const char* p0, const char* c0, const char* p1, const char* c1,
              const char* in_hardware) {
    EXPECT_EQ(software(), sw);
    EXPECT_EQ(core(0), p0);
    EXPECT_EQ(clock(0), c0);
    EXPECT_EQ(core(1), p1);
    EXPECT_EQ(clock(1), c1);
    EXPECT_EQ(status(), in_hardware);
  }

  Machine<RadishDetection> machine{config(), Fault::None};
  Nothing nothing;
};

TEST_F(Table1, CellByCell) {
  // Threads 0, 1 and 2 in slots 0, 1 and 2, at times (9,4) and (6,5).
  for (unsigned t = 0; t < 3; ++t) order().thread(ThreadId{t});
  run({make(EventKind::Instructions, 0), make(EventKind::Instructions, 1)});  // on cores 0 and 1
  advance(1, 4);
  run({rel(1, kLock + 64)});  // 1 is at 5, and published 4
  run({acq(0, kLock + 64)});
  advance(0, 6);
  run({rel(0, kLock + 128)});  // 0 is at 7, and published 6
  run({acq(1, kLock + 128)});
  advance(0, 9);
  radish().set_software(kX, 8, Epoch{Slot{0}, 7}, Epoch{Slot{0}, 2});
  expect("7,0,0 2,0,0", "I -", "9,4", "I -", "6,5", "InSoftware");

  run({rd(0, kX)});
  expect("7,0,0 2,0,0", "S W 9 2", "9,4", "I -", "6,5", "Everything");
  EXPECT_EQ(machine.counts().by_software, 1u);

  run({rd(1, kX)});
  expect("7,0,0 2,0,0", "S W 9 2", "9,4", "S R 5 0", "6,5", "Everything");
  EXPECT_EQ(machine.counts().by_software, 1u) << "hardware knew enough";

  run({rel(0, kLock)});
  expect("7,0,0 2,0,0", "S W 9 2", "10,4", "S R 5 0", "6,5", "Everything");

  run({acq(1, kLock)});
  expect("7,0,0 2,0,0", "S W 9 2", "10,4", "S R 5 0", "9,5", "Everything");

  run({wr(1, kX)});
  expect("7,0,0 2,0,0", "I N 0 0", "10,4", "M W 0 5", "9,5", "Everything");

  radish().force_eviction(0, kX);
  expect("7,0,0 2,0,0", "I -", "10,4", "M W 0 5", "9,5", "Everything");

  radish().force_eviction(1, kX);
  expect("0,0,0 0,5,0", "I -", "10,4", "M -", "9,5", "InSoftware");
  EXPECT_EQ(machine.counts().by_software, 1u);
}

// The text below the table: an immediate write by p0, after p1's read, races, and is caught
// although p0 still has WRITE permission.
TEST_F(Table1, ImmediateWriteRaces) {
  RacySet found;
  machine.process(Trace{rd(0, kX), rd(1, kX)}, found);
  EXPECT_EQ(radish().view(0, kX).permission, 'W');
  machine.process(Trace{wr(0, kX)}, found);
  EXPECT_EQ(found.events, RacyEvents{2});
}

}  // namespace
}  // namespace steward::test
