// The simulated machine and what it runs: every parameter, with the defaults of the RADISH paper's
// Section 6 where it names one. One table (config.cpp) gives each its key, its unit and its help;
// the file reader, the command line and the printed results all go by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/ids.h"

namespace steward::sim {

enum class Protocol : std::uint8_t { Mesi, Msi };
enum class ClockCoding : std::uint8_t { Table, Offset };
enum class Flush : std::uint8_t { Eager, Lazy };

struct CacheConfig {
  std::uint64_t size;
  std::uint64_t ways;
  std::uint64_t latency;
};

using AddressRange = std::pair<Address, Address>;  // [first, second)

struct Config {
  // The machine.
  std::uint64_t cores = 8;
  std::uint64_t async_cores = 0;  // spare ones, for software checks
  std::uint64_t line = 64;
  Protocol protocol = Protocol::Mesi;
  CacheConfig l1{64 << 10, 8, 1};
  CacheConfig l2{256 << 10, 8, 10};
  CacheConfig l3{16 << 20, 16, 35};
  std::uint64_t remote_l2 = 15;
  std::uint64_t memory = 120;
  std::uint64_t sync = 20;
  std::uint64_t context_switch = 1000;

  // RADISH.
  std::uint64_t hardware_check = 10;
  std::uint64_t rollover = 100'000;
  ClockCoding clocks = ClockCoding::Table;
  std::uint64_t clock_bits = 6;
  bool type_safety = true;
  bool compact = true;
  bool permissions = true;
  bool status = true;
  bool import_line = true;
  Flush flush = Flush::Eager;
  std::uint64_t eviction_buffer = 16;
  std::uint64_t async_queue = 8;
  std::uint64_t async_enqueue = 10;
  bool filter_stack = true;
  std::vector<AddressRange> race_free;

  // The software behind it, and software FastTrack: instructions, besides the memory it touches.
  std::uint64_t software_entry = 100;
  std::uint64_t check_instructions = 30;
  std::uint64_t evict_instructions = 30;
  std::uint64_t clock_instructions = 2;
  std::uint64_t fasttrack_instrumentation = 10;
  std::uint64_t fasttrack_update = 25;

  // LARD.
  bool lard = true;
  std::uint64_t page = 4096;

  // The run.
  std::uint64_t assumed_instructions = 0;
  std::uint64_t sample = 1'000'000;

  // Compact metadata rests on type safety: without the one there is none of the other.
  bool compact_metadata() const { return compact && type_safety; }
};

// Sets `key` (as the table spells it: "l3.size") to `value`. What is wrong in one line that names
// the key, or nothing.
std::optional<std::string> set(Config& config, std::string_view key, std::string_view value);

// Whether such a machine can be. One line that names the key, or nothing.
std::optional<std::string> check(const Config& config);

// A file of TOML: tables, key = value with whole numbers, true or false, strings, arrays of
// strings. "file:line: what is wrong", or nothing.
std::optional<std::string> read_config(Config& config, const std::string& name,
                                       std::string_view text);

struct Setting {
  std::string key;
  std::string value;
  std::string fallback;  // the default
  const char* help;
};
// Every parameter with its value, in the table's order.
std::vector<Setting> settings(const Config& config);

}  // namespace steward::sim
