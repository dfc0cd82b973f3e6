// The simulated RADISH reports a race on exactly the accesses where the vector-clock detector does:
// on every small trace, on long random ones, with tiny caches, under every option.
#include "exhaustive/enumerate.h"
#include "support/random_trace.h"
#include "unit/sim/compare.h"
#include "unit/sim/legal_trace.h"

namespace steward::test {
namespace {

using sim::Config;

struct Option {
  const char* name;
  void (*apply)(Config&);
};

// Each away from its default, and some together.
constexpr Option kOptions[] = {
    {"defaults", [](Config&) {}},
    {"no permissions", [](Config& c) { c.permissions = false; }},
    {"no status", [](Config& c) { c.status = false; }},
    {"no import", [](Config& c) { c.import_line = false; }},
    {"no type safety", [](Config& c) { c.type_safety = false; }},
    {"no compact metadata", [](Config& c) { c.compact = false; }},
    {"offset clocks",
     [](Config& c) {
       c.clocks = sim::ClockCoding::Offset;
       c.type_safety = false;
     }},
    {"two-bit table",
     [](Config& c) {
       c.clock_bits = 2;
       c.type_safety = false;
     }},
    {"two-bit offsets",
     [](Config& c) {
       c.clock_bits = 2;
       c.clocks = sim::ClockCoding::Offset;
     }},
    {"lazy flush", [](Config& c) { c.flush = sim::Flush::Lazy; }},
    {"lazy flush, offsets",
     [](Config& c) {
       c.flush = sim::Flush::Lazy;
       c.clocks = sim::ClockCoding::Offset;
       c.clock_bits = 3;
     }},
    {"one core, lazy",
     [](Config& c) {
       c.cores = 1;
       c.flush = sim::Flush::Lazy;
     }},
    {"one core, eager", [](Config& c) { c.cores = 1; }},
    {"asynchronous", [](Config& c) { c.async_cores = 2; }},
    {"msi", [](Config& c) { c.protocol = sim::Protocol::Msi; }},
    {"16-byte lines",
     [](Config& c) {
       c.line = 16;
       c.l1 = {16 * 2, 1, 1};
       c.l2 = {16 * 2, 2, 10};
       c.l3 = {16 * 4, 2, 35};
     }},
    {"room for all",
     [](Config& c) {
       const std::uint64_t cores = c.cores;
       c = Config{};
       c.cores = cores;
       c.l1.size = 4096;
       c.l2.size = 8192;
       c.l3.size = 65536;
     }},
    {"room for all, lazy, no type safety",
     [](Config& c) {
       const std::uint64_t cores = c.cores;
       c = Config{};
       c.cores = cores;
       c.l1.size = 4096;
       c.l2.size = 8192;
       c.l3.size = 65536;
       c.flush = sim::Flush::Lazy;
       c.type_safety = false;
     }},
};

// More of them for a long run: STEWARD_SIM_TRACES=20000.
std::uint64_t traces_wanted() {
  const char* wanted = std::getenv("STEWARD_SIM_TRACES");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 80;
}

class Equivalence : public testing::TestWithParam<Option> {
 protected:
  Config config(std::uint64_t cores) const {
    Config c = tiny(cores);
    GetParam().apply(c);
    return c;
  }
  void expect_equal(const Trace& trace, const Config& c) {
    const auto expected = by_vector_clocks(trace, c.lard);
    const auto found = simulated(trace, c);
    const auto wrong = difference(expected, found);
    if (!wrong) return;
    const Trace small =
        shrink(Trace(trace.begin(), trace.begin() + 1 + static_cast<long>(*wrong)),
               [&](const Trace& t) { return by_vector_clocks(t, c.lard) != simulated(t, c); });
    FAIL() << (expected.contains(*wrong) ? "missed" : "invented") << " a race at event " << *wrong
           << "; in short: " << show(small, small.size());
  }
};

TEST_P(Equivalence, EverySmallTrace) {
  std::uint64_t traces = 0;
  const auto each = [&](const Config& c) {
    return [this, &c, &traces](const Trace& t) {
      ++traces;
      if (!HasFatalFailure()) expect_equal(t, c);
    };
  };
  const Config c = config(2);
  // All options on many traces; the default and lazy flushing on very many.
  const std::string option = GetParam().name;
  const unsigned length = option == "defaults" || option == "lazy flush" ? 5 : 4;
  Enumerator::run({.threads = 2,
                   .variables = 1,
                   .locks = 1,
                   .volatiles = 1,
                   .fork_join = false,
                   .length = length},
                  0, 1, each(c));
  Enumerator::run({.threads = 3, .variables = 1, .locks = 1, .volatiles = 0, .length = 4}, 0, 1,
                  each(c));
  Enumerator::run({.threads = 2,
                   .variables = 1,
                   .locks = 0,
                   .volatiles = 1,
                   .fork_join = false,
                   .atomics = true,
                   .length = 4},
                  0, 1, each(c));
  EXPECT_GT(traces, 500u);
}

TEST_P(Equivalence, RandomTraces) {
  std::uint64_t racy = 0, accesses = 0;
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    Shape shape;
    shape.threads = 2 + static_cast<unsigned>(seed % 4);
    shape.variables = seed % 3 == 0 ? 4 : 40;
    shape.locks = 2;
    shape.rwlocks = seed % 5 == 0 ? 1 : 0;
    shape.odd_sizes = seed % 2 == 1;
    shape.atomics = seed % 4 == 3;
    shape.memory = seed % 3 == 1;
    shape.fork_join = seed % 2 == 0;
    shape.sync_percent = seed % 7 == 0 ? 10 : 50;
    const Trace trace = TraceMaker(shape, seed).make(600);
    const Config c = config(1 + seed / 3 % 3);
    expect_equal(trace, c);
    racy += by_vector_clocks(trace).size();
    for (const Event& e : trace) accesses += e.is_access() ? 1 : 0;
  }
  EXPECT_GT(racy, accesses / 20);
  EXPECT_LT(racy, accesses);
}

TEST_P(Equivalence, TracesWithFewRaces) {
  std::uint64_t racy = 0, accesses = 0;
  for (std::uint64_t seed = 0; seed < traces_wanted() && !HasFatalFailure(); ++seed) {
    const Trace trace = LegalMaker(legal(seed), seed).make(600);
    Config c = config(1 + seed / 3 % 3);
    if (seed / 2 % 2 == 0 && c.l3.size < 1024) c.l1.size = c.l2.size = c.l3.size = 1024;
    c.lard = seed % 13 != 12;
    expect_equal(trace, c);
    racy += by_vector_clocks(trace).size();
    for (const Event& e : trace) accesses += e.is_access() ? 1 : 0;
  }
  EXPECT_GT(racy, 0u);
  EXPECT_LT(racy, accesses / 10);
}

std::string option_name(const testing::TestParamInfo<Option>& info) {
  std::string s;
  for (const char ch : std::string(info.param.name)) {
    s += std::isalnum(static_cast<unsigned char>(ch)) != 0 ? ch : '_';
  }
  return s;
}
INSTANTIATE_TEST_SUITE_P(Options, Equivalence, testing::ValuesIn(kOptions), option_name);

}  // namespace
}  // namespace steward::test
