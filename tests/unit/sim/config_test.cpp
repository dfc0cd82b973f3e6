// Parameters: what is refused, and in which words.
#include "sim/config.h"

#include <gtest/gtest.h>

namespace steward::sim {
namespace {

std::string wrong(const std::string& text) {
  Config c;
  if (const auto w = read_config(c, "m.toml", text)) return *w;
  return check(c).value_or("");
}

TEST(Config, TheDefaultIsThePapersMachine) {
  const Config c;
  EXPECT_EQ(check(c), std::nullopt);
  EXPECT_EQ(c.cores, 8u);
  EXPECT_EQ(c.l1.size, 64u << 10);
  EXPECT_EQ(c.l2.size, 256u << 10);
  EXPECT_EQ(c.l3.size, 16u << 20);
  EXPECT_EQ(c.l1.ways, 8u);
  EXPECT_EQ(c.l2.ways, 8u);
  EXPECT_EQ(c.l3.ways, 16u);
  EXPECT_EQ(c.line, 64u);
  EXPECT_EQ(c.l1.latency, 1u);
  EXPECT_EQ(c.l2.latency, 10u);
  EXPECT_EQ(c.remote_l2, 15u);
  EXPECT_EQ(c.l3.latency, 35u);
  EXPECT_EQ(c.memory, 120u);
  EXPECT_EQ(c.hardware_check, 10u);
  EXPECT_EQ(c.software_entry, 100u);
  EXPECT_EQ(c.rollover, 100'000u);
}

TEST(Config, ReadsAFile) {
  Config c;
  EXPECT_EQ(read_config(c, "m.toml",
                        "# a machine\n"
                        "[machine]\n"
                        "cores = 4   # few\r\n"
                        "protocol = \"msi\"\n"
                        "\n"
                        "[l3]\n"
                        "size = '32M'\n"
                        "latency = 4_0\n"
                        "[radish]\n"
                        "compact = false\n"
                        "race_free = [\"0x1000-0x3000\", \"0x8000-0x9000\"]\n"),
            std::nullopt);
  EXPECT_EQ(c.cores, 4u);
  EXPECT_EQ(c.protocol, Protocol::Msi);
  EXPECT_EQ(c.l3.size, 32u << 20);
  EXPECT_EQ(c.l3.latency, 40u);
  EXPECT_FALSE(c.compact);
  EXPECT_EQ(c.race_free, (std::vector<AddressRange>{{0x1000, 0x3000}, {0x8000, 0x9000}}));
  EXPECT_EQ(check(c), std::nullopt);
}

TEST(Config, SaysWhatIsWrongInOneLineThatNamesTheKey) {
  const std::pair<const char*, const char*> table[] = {
      {"machine.cores = 0", "machine.cores: a machine needs at least one core"},
      {"machine.cores = 65", "machine.cores: at most 64 cores, spare ones among them, found 65"},
      {"l1.ways = 7", "l1.size: 64K bytes do not divide into 7 ways of 64-byte lines"},
      {"l1.ways = 0", "l1.ways: a cache needs at least one way"},
      {"l3.size = \"24M\"",
       "l3.size: 24M bytes in 16 ways make 24576 sets, which is no power of two"},
      {"l2.size = \"32K\"", "l2.size: L2 holds all that L1 holds, and is smaller"},
      {"machine.line = 48", "machine.line: expected 16, 32 or 64 bytes, found 48"},
      {"radish.clock_bits = 1", "radish.clock_bits: expected 2 to 14, found 1"},
      {"l3.latency = 99999999999", "l3.latency: at most 1000000000, found 99999999999"},
      {"[l3]\nsiez = 5",
       "m.toml:2: unknown key 'l3.siez'; 'steward simulate --parameters' lists them"},
      {"cores = 5", "m.toml:1: unknown key 'cores' (did you mean 'machine.cores'?)"},
      {"[machine]\ncores = many", "m.toml:2: machine.cores: expected a whole number, found 'many'"},
      {"machine.cores = -1", "m.toml:1: machine.cores: expected a whole number, found '-1'"},
      {"radish.compact = 1", "m.toml:1: radish.compact: expected true or false, found '1'"},
      {"radish.flush = \"never\"", "m.toml:1: radish.flush: expected eager or lazy, found 'never'"},
      {"machine.cores = 2\nmachine.cores = 3",
       "m.toml:2: machine.cores: set twice, first on line 1"},
      {"machine.cores", "m.toml:1: expected key = value, found 'machine.cores'"},
      {"machine.cores =", "m.toml:1: machine.cores: no value"},
      {"[machine", "m.toml:1: expected [table], found '[machine'"},
      {"radish.flush = \"lazy", "m.toml:1: radish.flush: a string without its end"},
      {"radish.race_free = [\"5-3\"]",
       "m.toml:1: radish.race_free: expected FIRST-END with FIRST below END, found '5-3'"},
      {"radish.race_free = [1, 2]",
       "m.toml:1: radish.race_free: expected an array of strings on one line, [\"...\", \"...\"]"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(wrong(text), expected);
}

TEST(Config, EveryParameterCanBeSetToWhatItPrints) {
  for (const Setting& s : settings(Config{})) {
    if (s.key == "radish.race_free") continue;
    Config c;
    EXPECT_EQ(set(c, s.key, s.value), std::nullopt) << s.key;
    EXPECT_STRNE(s.help, "") << s.key;
  }
}

}  // namespace
}  // namespace steward::sim
