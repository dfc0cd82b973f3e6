// What PACER costs, counted: nearly all vector-clock operations outside sampling periods take O(1)
// (paper, Table 3), and state is held in proportion to the rate (Figure 10).
//
// The program is a server: 16 threads, each of which takes a random lock of some hundreds (a
// session, a cache bucket), touches a few of the variables it guards and lets go; now and then it
// looks at a volatile flag or, more rarely, sets one. Sessions end: their memory is freed and used
// again.
#include <cstdio>
#include <gtest/gtest.h>

#include "core/pacer/periodic.h"

#include "support/run.h"

namespace steward::test {
namespace {

class Server {
 public:
  explicit Server(std::uint64_t seed) : random_(seed) {}

  static constexpr unsigned kThreads = 16;
  static constexpr unsigned kLocks = 300;
  static constexpr unsigned kGuarded = 40;  // words a lock
  static constexpr unsigned kFlags = 4;

  // One thread's next few events.
  void request(Trace& out) {
    const auto t = static_cast<unsigned>(random_.below(kThreads));
    if (random_.below(10) == 0) out.push_back(vr(t, kFlag + random_.below(kFlags)));
    if (random_.below(100) == 0) out.push_back(vw(t, kFlag + random_.below(kFlags)));
    const std::uint64_t m = random_.below(kLocks);
    const Address guarded = 0x10'000 + m * kGuarded * 8;
    out.push_back(acq(t, 1 + m));
    for (std::uint64_t n = 2 + random_.below(5); n > 0; --n) {
      const Address a = guarded + 8 * random_.below(kGuarded);
      out.push_back(random_.below(3) == 0 ? wr(t, a) : rd(t, a));
    }
    if (random_.below(200) == 0) out.push_back(free_of(t, guarded, kGuarded * 8));
    out.push_back(rel(t, 1 + m));
  }

 private:
  static constexpr std::uint64_t kFlag = 1'000;
  analyze::Random random_;
};

struct NoRaces final : RaceSink {
  void race(const Race&) override { ADD_FAILURE() << "the server has no races"; }
};

using ServerAnalysis = Analysis<PeriodicPacer>;

// Runs the server; look(analysis) after every few hundred events.
template <class Look>
void serve(const PeriodicPacer::Settings& settings, std::uint64_t seed, std::size_t events,
           Look look) {
  analyze::HeapPages pages;
  Pool pool(pages);
  analyze::Random random(seed);
  ServerAnalysis analysis(pool, LardRules{}, settings, random);
  Server server(seed);
  NoRaces none;
  Trace batch;
  for (std::size_t done = 0; done < events; done += batch.size()) {
    batch.clear();
    while (batch.size() < 500) server.request(batch);
    analysis.process(batch, none);
    look(analysis);
  }
}

struct Operations {
  std::uint64_t constant = 0;
  std::uint64_t linear = 0;
  double share() const {
    return static_cast<double>(constant) / static_cast<double>(constant + linear);
  }
};

struct Counts {
  Operations joins, copies, volatiles;  // outside sampling
  std::uint64_t periods_sampled = 0;
};

Counts count(const pacer::Order& order) {
  using pacer::OrderRule;
  auto outside = [&](OrderRule r) { return order.count(r, false); };
  return {{outside(OrderRule::JoinSameVersionEpoch),
           outside(OrderRule::JoinHappensBefore) + outside(OrderRule::JoinConcurrent)},
          {outside(OrderRule::CopyShallow), outside(OrderRule::CopyDeep)},
          {outside(OrderRule::VolatileSameVersionEpoch),
           outside(OrderRule::VolatileHappensBefore) + outside(OrderRule::VolatileConcurrent)},
          order.count(OrderRule::SampleBegin, true) / Server::kThreads};
}

TEST(PacerCost, OutsideSamplingNearlyAllClockOperationsAreConstantTime) {
  struct Row {
    std::uint64_t period;
    Pacer::Scope scope;
    double least;  // share of joins that must be O(1)
  };
  // Each sampling period leaves a bounded number of clock values to spread, some two or three for
  // each pair of threads; so the share rises with the length of the periods. In the paper a period
  // is 32 MB of allocation, millions of events.
  const Row rows[] = {{5'000, Pacer::Scope::Global, 0.97},
                      {20'000, Pacer::Scope::Global, 0.99},
                      {50'000, Pacer::Scope::Global, 0.995},
                      {20'000, Pacer::Scope::Thread, 0.99}};
  std::printf("\nVector-clock operations outside sampling at 3%%, %u threads, %u locks\n",
              Server::kThreads, Server::kLocks);
  std::printf("  %-15s %11s %8s %8s %12s %5s %10s %5s %19s\n", "period", "joins O(1)", "O(n)",
              "share", "copies O(1)", "O(n)", "vol. O(1)", "O(n)", "O(n) joins/sampling");
  for (const Row& row : rows) {
    Counts c;
    serve({0.03, row.period, row.scope}, 3, std::max<std::size_t>(3'000'000, 120 * row.period),
          [&](ServerAnalysis& a) { c = count(a.algorithm().pacer().order()); });
    ASSERT_GT(c.periods_sampled, 0u);
    // Threads begin with clocks that nobody knows: the start counts as a sampling period.
    const std::uint64_t spread = c.joins.linear / (1 + c.periods_sampled);
    std::printf("  %6llu %-8s %11llu %8llu %7.2f%% %12llu %5llu %10llu %5llu %19llu\n",
                static_cast<unsigned long long>(row.period),
                row.scope == Pacer::Scope::Global ? "global" : "thread",
                static_cast<unsigned long long>(c.joins.constant),
                static_cast<unsigned long long>(c.joins.linear), 100 * c.joins.share(),
                static_cast<unsigned long long>(c.copies.constant),
                static_cast<unsigned long long>(c.copies.linear),
                static_cast<unsigned long long>(c.volatiles.constant),
                static_cast<unsigned long long>(c.volatiles.linear),
                static_cast<unsigned long long>(spread));
    EXPECT_GT(c.joins.share(), row.least);
    EXPECT_EQ(c.copies.linear, 0u) << "no deep copy outside sampling";
    EXPECT_GT(c.volatiles.share(), row.least);
    EXPECT_LT(spread, 4 * Server::kThreads * Server::kThreads);
  }
}

TEST(PacerCost, WithoutSamplingClocksSettleAndNothingIsHeldForVariables) {
  Counts early, late;
  std::size_t step = 0;
  serve({0, 1'000, Pacer::Scope::Global}, 1, 300'000, [&](ServerAnalysis& a) {
    const Counts now = count(a.algorithm().pacer().order());
    if (++step == 200) early = now;
    late = now;
    ASSERT_EQ(a.algorithm().pacer().tracked(), 0u);
  });
  EXPECT_GT(late.joins.constant, 2 * early.joins.constant);
  EXPECT_EQ(late.joins.linear, early.joins.linear) << "time stands still: nothing is news";
  EXPECT_EQ(late.volatiles.linear, early.volatiles.linear);
}

TEST(PacerCost, StateIsHeldInProportionToTheRate) {
  // An unsampled write discards all that is known of its variable, an unsampled read only reads; so
  // of the variables a program goes on using somewhat more than the share of the rate is held.
  constexpr double kFactor = 2;
  struct Held {
    double rate, variables = 0, bytes = 0;
  };
  Held rows[] = {{0}, {0.01}, {0.03}, {0.10}, {0.25}, {1}};
  for (Held& row : rows) {
    double looks = 0;
    std::size_t warm = 0;
    serve({row.rate, 1'000, Pacer::Scope::Global}, 5, 1'500'000, [&](ServerAnalysis& a) {
      if (++warm < 200) return;
      ++looks;
      row.variables += static_cast<double>(a.algorithm().pacer().tracked());
      row.bytes += static_cast<double>(a.memory());
    });
    row.variables /= looks;
    row.bytes /= looks;
  }
  const Held& none = rows[0];
  const Held& all = rows[std::size(rows) - 1];
  std::printf("\nState held on average\n  %-6s %10s %10s %10s %22s\n", "rate", "variables",
              "of 100%", "bytes", "of 100%, less those at 0%");
  for (const Held& row : rows) {
    const double variables = row.variables / all.variables;
    const double bytes = (row.bytes - none.bytes) / (all.bytes - none.bytes);
    std::printf("  %5.0f%% %10.0f %9.1f%% %10.0f %21.1f%%\n", 100 * row.rate, row.variables,
                100 * variables, row.bytes, 100 * bytes);
    if (row.rate == 0) {
      EXPECT_EQ(row.variables, 0);
      continue;
    }
    EXPECT_GT(variables, row.rate / kFactor);
    EXPECT_LE(variables, row.rate * kFactor);
    // Tables double in size: a further factor of two.
    EXPECT_GT(bytes, row.rate / (2 * kFactor));
    EXPECT_LE(bytes, row.rate * 2 * kFactor);
  }
}

}  // namespace
}  // namespace steward::test
