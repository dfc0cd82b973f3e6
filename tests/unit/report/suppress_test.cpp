#include "report/suppress.h"

#include <gtest/gtest.h>

#include "report/phrases.h"

#include "sample.h"

namespace steward::report {
namespace {

struct Match {
  const char* pattern;
  const char* text;
  bool matches;
};
class Pattern : public testing::TestWithParam<Match> {};

TEST_P(Pattern, Matches) {
  EXPECT_EQ(pattern_matches(GetParam().pattern, GetParam().text), GetParam().matches)
      << GetParam().pattern << " / " << GetParam().text;
}

// The first lines are what ThreadSanitizer's own tests say.
INSTANTIATE_TEST_SUITE_P(
    All, Pattern,
    testing::Values(
        Match{"foo", "foobar", true}, Match{"bar", "foobar", true}, Match{"foo", "fo", false},
        Match{"f*o", "foo", true}, Match{"*foo", "xfoo", true}, Match{"foo*", "foox", true},
        Match{"f*bar", "foobar", true}, Match{"o*r", "foobar", true}, Match{"f*x", "foobar", false},
        Match{"^foo", "foobar", true}, Match{"^bar", "foobar", false},
        Match{"bar$", "foobar", true}, Match{"foo$", "foobar", false}, Match{"^foo$", "foo", true},
        Match{"^foo$", "foobar", false}, Match{"^f*r$", "foobar", true},
        Match{"^*bar$", "foobar", true}, Match{"foo*$", "foox", true}, Match{"^$", "foo", false},
        Match{"*", "foo", true}, Match{"foo", "", false}, Match{"*", "", false},
        Match{"a*b$", "abab", true}, Match{"foo$", "foofoo", true},
        Match{"std::vector<*>::push_back", "std::vector<int>::push_back(int&&)", true},
        Match{"operator->", "P::operator->() const", true}));

Suppressions rules(const std::string& text) {
  Suppressions s;
  EXPECT_TRUE(s.parse(text, "s").empty());
  return s;
}

struct Rule {
  const char* text;
  bool matches;
};
class RaceRule : public testing::TestWithParam<Rule> {};

TEST_P(RaceRule, OnTheSample) {
  Suppressions s = rules(GetParam().text);
  EXPECT_EQ(s.matches(sample_race()), GetParam().matches) << GetParam().text;
  EXPECT_EQ(s.rules().at(0).hits, GetParam().matches ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    All, RaceRule,
    testing::Values(Rule{"race:pay(Account&)", true},    // a function anywhere
                    Rule{"race:account.cpp", true},      // a file
                    Rule{"race:/opt/app/*/app$", true},  // a module
                    Rule{"race:^balance", false},
                    Rule{"race:make_account", false},  // not of the allocation
                    Rule{"race_top:Account::add", true},
                    Rule{"race_top:balance", true},  // of either stack
                    Rule{"race_top:pay(", false}, Rule{"called_from_lib:app", true},
                    Rule{"called_from_lib:libfoo", false},
                    Rule{"thread:worker", false},  // other kinds of report
                    Rule{"mutex:worker", false}, Rule{"deadlock:worker", false},
                    Rule{"signal:worker", false}, Rule{"race: worker -> Account::add", true},
                    Rule{"race: worker -> pay -> Account::add", true},
                    Rule{"race: pay -> worker", false},      // the other way round
                    Rule{"race: worker -> balance", false},  // one stack each
                    Rule{"race: main -> account.cpp", true}));

TEST(Suppressions, AGlobalMatchesByNameAndModule) {
  Race race = sample_race();
  race.memory = {};
  race.memory.kind = MemoryKind::Global;
  race.memory.symbol = "g_stats";
  race.memory.module = "/lib/libstats.so";
  EXPECT_TRUE(rules("race:^g_stats$\n").matches(race));
  EXPECT_TRUE(rules("race:libstats\n").matches(race));
  EXPECT_FALSE(rules("race:g_other\n").matches(race));
}

TEST(Suppressions, AFileAsTheyAre) {
  Suppressions s;
  const auto complaints = s.parse(
      "# comment\n\n  race:foo  \r\n\trace_top:bar\nleak:baz\nrace:\nnonsense\n"
      "mutex: a -> b\ncalled_from_lib:libx.so",
      "tsan.supp");
  ASSERT_EQ(s.rules().size(), 3U);
  EXPECT_EQ(s.rules()[0].chain, std::vector<std::string>{"foo"});
  EXPECT_EQ(s.rules()[0].line, 3U);
  EXPECT_EQ(s.rules()[2].chain, std::vector<std::string>{"libx.so"});
  ASSERT_EQ(complaints.size(), 4U);
  EXPECT_TRUE(complaints[0].starts_with("tsan.supp:5: 'leak:baz' is no suppression"));
  EXPECT_EQ(complaints[1], "tsan.supp:6: 'race:' has no pattern");
  EXPECT_TRUE(complaints[2].starts_with("tsan.supp:7:"));
  EXPECT_EQ(complaints[3], "tsan.supp:8: only race: takes several frames");
}

TEST(Suppressions, AnArrowOfAnOperatorIsNoChain) {
  EXPECT_EQ(rules("race:Ptr::operator->\n").rules()[0].chain.size(), 1U);
}

TEST(Suppressions, MessagesByTheirKind) {
  Message message{1, "warning", "mutex", "destroyed while locked", {frame("worker")}};
  EXPECT_TRUE(rules("mutex:worker\n").matches(message));
  EXPECT_FALSE(rules("thread:worker\n").matches(message));
  message.kind.clear();
  EXPECT_FALSE(rules("mutex:worker\n").matches(message));
}

TEST(Suppressions, AnyBytesAreNoDanger) {
  std::string noise;
  for (int i = 0; i < 4096; ++i) noise += static_cast<char>(i * 7919);
  Suppressions s;
  s.parse(noise, "noise");
  s.parse("race:" + noise, "noise");
  s.matches(sample_race());
}

TEST(Suppressions, ByTheNameAReportShows) {
  Race race = sample_race();
  race.accesses[0].stack[0].function =
      "Cache::get(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> "
      "const&)";
  Suppressions s;
  s.parse("race:^Cache::get(std::string const&)$\n", "s");
  EXPECT_TRUE(s.matches(race));
  EXPECT_FALSE(s.matches(sample_race()));
}

TEST(Suppressions, TheRuleThatIsOfferedLeavesOutThisRaceAlone) {
  Race race = sample_race();
  race.accesses[0].stack[0].function = "f(char*, int)::{lambda(auto)#1}::operator()(int) const";
  Suppressions s;
  EXPECT_TRUE(s.parse(suppression_rule(race) + "\n", "s").empty());
  EXPECT_TRUE(s.matches(race)) << suppression_rule(race);
  EXPECT_FALSE(s.matches(sample_race()));
}

}  // namespace
}  // namespace steward::report
