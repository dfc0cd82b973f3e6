// A fault in a transition is found: for each that can be seeded, the comparison that
// equivalence_test.cpp makes fails on some trace.
#include <iostream>

#include "unit/sim/compare.h"
#include "unit/sim/legal_trace.h"

namespace steward::test {
namespace {

using sim::Fault;

struct Seeded {
  const char* name;
  Fault fault;
};

constexpr Seeded kFaults[] = {
    {"EvictionKeepsStatus", Fault::EvictionKeepsStatus},
    {"EvictionKeepsPermissions", Fault::EvictionKeepsPermissions},
    {"CoherenceKeepsPermissions", Fault::CoherenceKeepsPermissions},
    {"WriteKeepsClocks", Fault::WriteKeepsClocks},
    {"FillGrantsWrite", Fault::FillGrantsWrite},
    {"ImportsDeadReads", Fault::ImportsDeadReads},
    {"SwitchKeepsPermissions", Fault::SwitchKeepsPermissions},
    {"ClearKeepsCached", Fault::ClearKeepsCached},
    {"CopyWithoutEviction", Fault::CopyWithoutEviction},
};

constexpr std::uint64_t kTraces = 3000;

class Faults : public testing::TestWithParam<Seeded> {};

TEST_P(Faults, AreFound) {
  for (std::uint64_t seed = 0; seed < kTraces; ++seed) {
    sim::Config c = tiny(1 + seed / 3 % 3);
    if (seed / 2 % 2 == 0) c.l1.size = c.l2.size = c.l3.size = 64 * 16;
    if (seed / 4 % 2 == 0) c.flush = sim::Flush::Lazy;
    const Trace trace = LegalMaker(legal(seed), seed).make(600);
    const auto differ = [&](const Trace& t) {
      return simulated(t, c, sim::Kind::Radish, GetParam().fault) != by_vector_clocks(t);
    };
    if (!differ(trace)) continue;
    const Trace example = shrink(trace, differ);
    std::cout << GetParam().name << ": trace " << seed << " tells, in short "
              << show(example, example.size()) << "\n";
    return;
  }
  FAIL() << "no trace tells";
}

INSTANTIATE_TEST_SUITE_P(Seeded, Faults, testing::ValuesIn(kFaults),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace steward::test
