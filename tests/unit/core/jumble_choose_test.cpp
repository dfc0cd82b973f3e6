// The heuristics, fairness, and that an execution can be repeated.
#include <gtest/gtest.h>

#include "core/jumble/pjmm.h"

#include "analyze/random.h"
#include "jumble_support.h"

namespace steward::test {
namespace {

using jumble::Candidates;
using jumble::Chooser;
using jumble::Heuristic;
using jumble::Past;
using jumble::Pjmm;
using jumble::Rule;
using jumble::RuleCounts;
using jumble::Value;

// Never the chance of a fair turn, and the pick that is asked for.
class Scripted final : public Draws {
 public:
  explicit Scripted(std::uint64_t value) : value_(value) {}
  std::uint64_t draw() override { return value_; }

 private:
  std::uint64_t value_;
};

Candidates of(std::initializer_list<Value> values) {
  Candidates c;
  unsigned i = 0;
  for (const Value v : values) c.add(v, i++);
  return c;
}

TEST(JumbleChoose, CandidatesAreDifferentValuesTheLatestOfEach) {
  const Candidates c = of({5, 7, 5, 9});
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c.value(0), 7u);
  EXPECT_EQ(c.value(1), 5u);
  EXPECT_EQ(c.entry(1), 2u);
  EXPECT_EQ(c.value(2), 9u);
}

TEST(JumbleChoose, EachHeuristicPicksWhatItsNameSays) {
  Scripted draws(1);
  RuleCounts counts;
  const Candidates c = of({10, 20, 30});
  auto pick = [&](Heuristic h, Past past) {
    return c.value(Chooser(h, draws).choose(c, past, counts));
  };
  const Past none, ten{10, true, 0}, twenty{20, true, 0};
  EXPECT_EQ(pick(Heuristic::SequentiallyConsistent, ten), 30u);
  EXPECT_EQ(pick(Heuristic::Oldest, none), 10u);
  EXPECT_EQ(pick(Heuristic::Oldest, ten), 10u);
  EXPECT_EQ(pick(Heuristic::OldestButDifferent, none), 10u);
  EXPECT_EQ(pick(Heuristic::OldestButDifferent, ten), 20u);
  EXPECT_EQ(pick(Heuristic::OldestButDifferent, twenty), 10u);
  EXPECT_EQ(pick(Heuristic::Random, ten), 20u);
  EXPECT_EQ(pick(Heuristic::RandomButDifferent, ten), 30u);     // the second of 20, 30
  EXPECT_EQ(pick(Heuristic::RandomButDifferent, twenty), 30u);  // the second of 10, 30
}

TEST(JumbleChoose, DifferentNeverRepeatsWhatWasRead) {
  analyze::Random draws(3);
  RuleCounts counts;
  const Candidates c = of({1, 2, 3, 4});
  for (const Heuristic h : {Heuristic::OldestButDifferent, Heuristic::RandomButDifferent}) {
    Chooser chooser(h, draws);
    Past past;
    Value last = 0;
    for (int i = 0; i < 2000; ++i) {
      const auto fair = counts[Rule::Fairness];
      const Value v = c.value(chooser.choose(c, past, counts));
      if (counts[Rule::Fairness] == fair) {
        EXPECT_NE(v, last);
      }
      last = v;
    }
  }
}

TEST(JumbleChoose, RandomReachesEveryValue) {
  analyze::Random draws(11);
  RuleCounts counts;
  const Candidates c = of({1, 2, 3, 4, 5, 6, 7, 8});
  for (const Heuristic h : {Heuristic::Random, Heuristic::RandomButDifferent}) {
    Past past;
    unsigned seen[9] = {};
    Chooser chooser(h, draws);
    for (int i = 0; i < 8000; ++i) ++seen[c.value(chooser.choose(c, past, counts))];
    for (Value v = 1; v <= 8; ++v) EXPECT_GT(seen[v], 800u);
  }
}

// Whatever the heuristic and the luck, a thread that spins sees the latest value in the end.
TEST(JumbleChoose, SpinLoopsEnd) {
  for (unsigned h = 0; h < jumble::kHeuristics; ++h) {
    Scripted unlucky(1);  // never a fair turn by chance
    RuleCounts counts;
    const Candidates c = of({0, 7, 1});
    Chooser chooser(static_cast<Heuristic>(h), unlucky);
    Past past;
    unsigned spins = 0;
    while (c.value(chooser.choose(c, past, counts)) != 1) ASSERT_LE(++spins, Chooser::kPatience);
  }
}

// Of two threads that take turns at one variable, neither is left out.
TEST(JumbleChoose, NoThreadIsLeftOut) {
  analyze::Random draws(5);
  RuleCounts counts;
  const Candidates c = of({0, 1});
  Chooser chooser(Heuristic::Oldest, draws);
  Past past;
  bool seen[2] = {};
  for (int i = 0; i < 100'000; ++i) {
    if (c.value(chooser.choose(c, past, counts)) == 1) seen[i % 2] = true;
  }
  EXPECT_TRUE(seen[0]);
  EXPECT_TRUE(seen[1]);
}

// Figure 8 in small: a reader that checks and then uses, ten times, while another has written.
std::vector<Value> figure8(Heuristic h, Draws& draws, jumble::Picks* picks = nullptr) {
  analyze::HeapPages pages;
  Pool pool(pages);
  Pjmm m(pool);
  for (unsigned t = 0; t < 2; ++t) m.order().thread(ThreadId{t});
  m.write(ThreadId{0}, 8, 77);
  Chooser chooser(h, draws, picks);
  std::vector<Value> read;
  for (int i = 0; i < 20; ++i) read.push_back(m.read(ThreadId{1}, 8, chooser).value);
  cover_jumble(m.counts());
  return read;
}
bool crashes(const std::vector<Value>& read) {
  for (std::size_t i = 0; i + 1 < read.size(); i += read[i] != 0 ? 2 : 1) {
    if (read[i] != 0 && read[i + 1] == 0) return true;
  }
  return false;
}

TEST(JumbleChoose, Figure8) {
  Scripted draws(1);
  EXPECT_FALSE(crashes(figure8(Heuristic::SequentiallyConsistent, draws)));
  EXPECT_FALSE(crashes(figure8(Heuristic::Oldest, draws)));
  EXPECT_TRUE(crashes(figure8(Heuristic::OldestButDifferent, draws)));
  analyze::Random random(2);
  EXPECT_TRUE(crashes(figure8(Heuristic::Random, random)));
}

class Tape final : public jumble::Picks {
 public:
  void note(unsigned, unsigned pick) override {
    if (!replay) picks.push_back(pick);
  }
  bool next(unsigned, unsigned& pick) override {
    if (!replay || at == picks.size()) return false;
    pick = picks[at++];
    return true;
  }
  std::vector<unsigned> picks;
  std::size_t at = 0;
  bool replay = false;
};

TEST(JumbleChoose, TheSameSeedIsTheSameExecution) {
  analyze::Random one(42), same(42), other(43);
  const auto first = figure8(Heuristic::Random, one);
  EXPECT_EQ(first, figure8(Heuristic::Random, same));
  EXPECT_NE(first, figure8(Heuristic::Random, other));
}

TEST(JumbleChoose, RecordedPicksReplay) {
  analyze::Random draws(42);
  Tape tape;
  const auto first = figure8(Heuristic::Random, draws, &tape);
  tape.replay = true;
  NoDraws none;
  EXPECT_EQ(first, figure8(Heuristic::Oldest, none, &tape));
}

}  // namespace
}  // namespace steward::test
