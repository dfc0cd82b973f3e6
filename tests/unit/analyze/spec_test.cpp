// The grammar of detector settings, and what it says to each mistake.
#include "analyze/spec.h"

#include <gtest/gtest.h>

namespace steward::analyze {
namespace {

DetectorSpec one(std::string_view text) {
  const SpecResult r = parse_specs(text);
  EXPECT_EQ(r.error, "") << text;
  EXPECT_EQ(r.specs.size(), 1u) << text;
  return r.specs.empty() ? DetectorSpec{} : r.specs[0];
}

std::string error(std::string_view text) {
  return parse_specs(text).error;
}

TEST(DetectorSpecs, EveryDetectorByItsName) {
  EXPECT_EQ(one("fasttrack").kind, DetectorKind::FastTrack);
  EXPECT_EQ(one("generic").kind, DetectorKind::Generic);
  EXPECT_EQ(one("pacer").kind, DetectorKind::Pacer);
  EXPECT_EQ(one("literace").kind, DetectorKind::LiteRace);
  EXPECT_EQ(one("literace").text, "literace");
  EXPECT_EQ(one("lockset").kind, DetectorKind::Lockset);
}

TEST(DetectorSpecs, PacerAlone) {
  const DetectorSpec s = one("pacer");
  EXPECT_DOUBLE_EQ(s.rate, 0.03);
  EXPECT_FALSE(s.rate_from_trace);
  EXPECT_FALSE(s.per_thread);
  EXPECT_EQ(s.period, 1000u);
  EXPECT_EQ(s.seed, 1u);
}

TEST(DetectorSpecs, RatesAsPercentOrShare) {
  EXPECT_DOUBLE_EQ(one("pacer:3%").rate, 0.03);
  EXPECT_DOUBLE_EQ(one("pacer:0.03").rate, 0.03);
  EXPECT_DOUBLE_EQ(one("pacer:0.5%").rate, 0.005);
  EXPECT_DOUBLE_EQ(one("pacer:0").rate, 0);
  EXPECT_DOUBLE_EQ(one("pacer:1").rate, 1);
  EXPECT_DOUBLE_EQ(one("pacer:100%").rate, 1);
  EXPECT_DOUBLE_EQ(one("pacer:1e-3").rate, 0.001);
}

TEST(DetectorSpecs, PacerWithAll) {
  const DetectorSpec s = one("pacer:1%:scope=thread:period=500:seed=7");
  EXPECT_EQ(s.text, "pacer:1%:scope=thread:period=500:seed=7");
  EXPECT_DOUBLE_EQ(s.rate, 0.01);
  EXPECT_TRUE(s.per_thread);
  EXPECT_EQ(s.period, 500u);
  EXPECT_EQ(s.seed, 7u);
  EXPECT_FALSE(one("pacer:scope=thread:scope=global").per_thread) << "the last one holds";
  EXPECT_EQ(one("pacer:period=1:2%").period, 1u) << "in any order";
}

TEST(DetectorSpecs, Lockset) {
  const DetectorSpec plain = one("lockset");
  EXPECT_FALSE(plain.write_barrier);
  EXPECT_EQ(plain.block, 0u);
  const DetectorSpec s = one("lockset:barrier=write:block=64:exclude=T7:exclude=9");
  EXPECT_TRUE(s.write_barrier);
  EXPECT_EQ(s.block, 64u);
  EXPECT_EQ(s.excluded, (std::vector{ThreadId{7}, ThreadId{9}}));
  EXPECT_NE(error("lockset:barrier=no"), "");
  EXPECT_NE(error("lockset:exclude=main"), "");
  EXPECT_NE(error("fasttrack:block=64"), "");
}

TEST(DetectorSpecs, PeriodsFromTheTrace) {
  const DetectorSpec s = one("pacer:trace:scope=thread");
  EXPECT_TRUE(s.rate_from_trace);
  EXPECT_TRUE(s.per_thread);
}

TEST(DetectorSpecs, LiteRaceWithAll) {
  const DetectorSpec s = one("literace:burst=1000:seed=0");
  EXPECT_EQ(s.burst, 1000u);
  EXPECT_EQ(s.seed, 0u);
  EXPECT_EQ(one("literace").burst, 10u);
  EXPECT_EQ(one("literace:burst=1000000000").burst, 1'000'000'000u);
  EXPECT_EQ(one("literace:seed=18446744073709551615").seed, ~std::uint64_t{0});
}

TEST(DetectorSpecs, AListKeepsItsOrder) {
  const SpecResult r = parse_specs("fasttrack,pacer:3%,pacer:10%:seed=2,literace,generic");
  EXPECT_EQ(r.error, "");
  ASSERT_EQ(r.specs.size(), 5u);
  EXPECT_EQ(r.specs[0].text, "fasttrack");
  EXPECT_DOUBLE_EQ(r.specs[2].rate, 0.1);
  EXPECT_EQ(r.specs[2].seed, 2u);
  EXPECT_EQ(r.specs[3].seed, 1u) << "settings are a detector's own";
  EXPECT_EQ(r.specs[4].kind, DetectorKind::Generic);
}

TEST(DetectorSpecs, UnknownDetectors) {
  EXPECT_EQ(error("eraser"),
            "unknown detector 'eraser' (known: fasttrack, generic, pacer, literace, lockset)");
  EXPECT_EQ(error(""), "unknown detector '' (known: fasttrack, generic, pacer, literace, lockset)");
  EXPECT_EQ(error("fasttrack,"),
            "unknown detector '' (known: fasttrack, generic, pacer, literace, lockset)");
  EXPECT_EQ(error("Pacer:3%"),
            "unknown detector 'Pacer' (known: fasttrack, generic, pacer, literace, lockset)");
}

TEST(DetectorSpecs, BadRates) {
  for (const char* rate : {"101%", "-1%", "1.5", "x", "", "%", "3%%", "3 %", "nan", "inf", "+1"}) {
    const std::string text = std::string("pacer:") + rate;
    EXPECT_EQ(error(text), "expected a rate between 0% and 100%, found '" + std::string(rate) +
                               "' in detector '" + text + "'");
  }
}

TEST(DetectorSpecs, BadScopes) {
  EXPECT_EQ(error("pacer:scope=all"),
            "expected scope=global or scope=thread, found 'scope=all' in detector "
            "'pacer:scope=all'");
  EXPECT_EQ(error("pacer:scope="),
            "expected scope=global or scope=thread, found 'scope=' in detector 'pacer:scope='");
}

TEST(DetectorSpecs, BadNumbers) {
  for (const char* n : {"0", "-1", "x", "", "1.5", "18446744073709551616"}) {
    const std::string setting = std::string("period=") + n;
    EXPECT_EQ(error("pacer:" + setting), "expected a number of events from 1, found '" + setting +
                                             "' in detector 'pacer:" + setting + "'");
  }
  for (const char* n : {"0", "1000000001", "ten"}) {
    const std::string setting = std::string("burst=") + n;
    EXPECT_EQ(error("literace:" + setting), "expected a number from 1 to 10^9, found '" + setting +
                                                "' in detector 'literace:" + setting + "'");
  }
  for (const char* detector : {"pacer", "literace"}) {
    const std::string text = std::string(detector) + ":seed=1x";
    EXPECT_EQ(error(text), "expected a whole number, found 'seed=1x' in detector '" + text + "'");
  }
}

TEST(DetectorSpecs, SettingsThatADetectorHasNot) {
  EXPECT_EQ(error("fasttrack:seed=1"), "unknown setting 'seed=1' in detector 'fasttrack:seed=1'");
  EXPECT_EQ(error("generic:scope=thread"),
            "unknown setting 'scope=thread' in detector 'generic:scope=thread'");
  EXPECT_EQ(error("pacer:burst=10"), "unknown setting 'burst=10' in detector 'pacer:burst=10'");
  EXPECT_EQ(error("literace:period=10"),
            "unknown setting 'period=10' in detector 'literace:period=10'");
  EXPECT_EQ(error("pacer:=3"), "unknown setting '=3' in detector 'pacer:=3'");
}

TEST(DetectorSpecs, WordsThatADetectorDoesNotExpect) {
  EXPECT_EQ(error("fasttrack:3%"), "unexpected '3%' in detector 'fasttrack:3%'");
  EXPECT_EQ(error("literace:trace"), "unexpected 'trace' in detector 'literace:trace'");
  EXPECT_EQ(error("generic:"), "unexpected '' in detector 'generic:'");
}

TEST(DetectorSpecs, TheFirstErrorOfAListIsTold) {
  EXPECT_EQ(error("fasttrack,pacer:x,nonsense"),
            "expected a rate between 0% and 100%, found 'x' in detector 'pacer:x'");
}

TEST(DetectorSpecs, TheHelpNamesEveryDetectorAndSetting) {
  const std::string_view help = kSpecHelp;
  for (const char* word : {"fasttrack", "generic", "pacer", "literace", "trace",
                           "period=", "scope=global|thread", "seed=", "burst="}) {
    EXPECT_NE(help.find(word), std::string_view::npos) << word;
  }
}

TEST(DetectorSpecs, TheHelpsExampleParses) {
  const std::string help = kSpecHelp;
  const std::size_t at = help.find("Example: ");
  ASSERT_NE(at, std::string::npos);
  const DetectorSpec s = one(help.substr(at + 9));
  EXPECT_TRUE(s.per_thread);
  EXPECT_EQ(s.seed, 7u);
}

}  // namespace
}  // namespace steward::analyze
