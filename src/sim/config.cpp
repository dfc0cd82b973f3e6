#include "sim/config.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <span>

#include "sim/cache/line.h"

namespace steward::sim {

namespace {

using Number = std::uint64_t& (*)(Config&);
using Flag = bool& (*)(Config&);

enum class Unit : std::uint8_t { Count, Bytes, Bool, Choice, Ranges };

struct Parameter {
  const char* key;
  Unit unit;
  Number number;  // Count, Bytes
  Flag flag;      // Bool
  // Choice: the words, and where the choice is kept.
  std::span<const std::string_view> words;
  std::uint8_t (*chosen)(const Config&);
  void (*choose)(Config&, std::uint8_t);
  const char* help;
};

constexpr std::string_view kProtocols[] = {"mesi", "msi"};
constexpr std::string_view kCodings[] = {"table", "offset"};
constexpr std::string_view kFlushes[] = {"eager", "lazy"};

#define COUNT(key, member, help)                                                                  \
  {                                                                                               \
    key, Unit::Count, [](Config& c) -> std::uint64_t& { return c.member; }, nullptr, {}, nullptr, \
        nullptr, help                                                                             \
  }
#define BYTES(key, member, help)                                                                  \
  {                                                                                               \
    key, Unit::Bytes, [](Config& c) -> std::uint64_t& { return c.member; }, nullptr, {}, nullptr, \
        nullptr, help                                                                             \
  }
#define FLAG(key, member, help)                                                                  \
  {                                                                                              \
    key, Unit::Bool, nullptr, [](Config& c) -> bool& { return c.member; }, {}, nullptr, nullptr, \
        help                                                                                     \
  }
#define CHOICE(key, member, type, words, help)                                   \
  {                                                                              \
    key, Unit::Choice, nullptr, nullptr, words,                                  \
        [](const Config& c) { return static_cast<std::uint8_t>(c.member); },     \
        [](Config& c, std::uint8_t i) { c.member = static_cast<type>(i); }, help \
  }

constexpr Parameter kTable[] = {
    COUNT("machine.cores", cores, "cores that run the program"),
    COUNT("machine.async_cores", async_cores,
          "spare cores that run software checks; 0: each core runs its own"),
    BYTES("machine.line", line, "bytes of a cache line, at most 64"),
    CHOICE("machine.protocol", protocol, Protocol, kProtocols,
           "mesi, or msi: a sole reader gets the line shared"),
    BYTES("l1.size", l1.size, "bytes of each private first-level cache"),
    COUNT("l1.ways", l1.ways, "its associativity"),
    COUNT("l1.latency", l1.latency, "cycles of a hit"),
    BYTES("l2.size", l2.size, "bytes of each private second-level cache"),
    COUNT("l2.ways", l2.ways, "its associativity"),
    COUNT("l2.latency", l2.latency, "cycles of a hit"),
    COUNT("l2.remote_latency", remote_l2,
          "cycles when another core's L2 has the line, or must give it up"),
    BYTES("l3.size", l3.size, "bytes of the shared last-level cache"),
    COUNT("l3.ways", l3.ways, "its associativity"),
    COUNT("l3.latency", l3.latency, "cycles of a hit"),
    COUNT("memory.latency", memory, "cycles of an access that no cache can serve"),
    COUNT("machine.sync", sync, "cycles of a synchronisation operation, besides its memory access"),
    COUNT("machine.context_switch", context_switch, "cycles to give a core to another thread"),
    COUNT("radish.hardware_check", hardware_check, "cycles of a hardware race check"),
    COUNT("radish.rollover", rollover, "cycles of a clock rollover"),
    CHOICE("radish.clocks", clocks, ClockCoding, kCodings,
           "narrow clocks are entries of a reference-counted table, or offsets from a base"),
    COUNT("radish.clock_bits", clock_bits, "bits of a narrow clock"),
    FLAG("radish.type_safety", type_safety,
         "learn the size of items; larger ones have wider clocks"),
    FLAG("radish.compact", compact,
         "one metadata line a data line until a byte is accessed; needs type_safety"),
    FLAG("radish.permissions", permissions, "local permissions"),
    FLAG("radish.status", status, "in-hardware status; without it all of it counts as in software"),
    FLAG("radish.import_line", import_line,
         "a software check imports the whole metadata line, not only the bytes accessed"),
    CHOICE("radish.flush", flush, Flush, kFlushes,
           "metadata of a thread that leaves its core: flushed at once, or when needed"),
    COUNT("radish.eviction_buffer", eviction_buffer,
          "evicted metadata lines that wait for the handler"),
    COUNT("radish.async_queue", async_queue,
          "checks that may wait for a spare core; when full, a core does its own"),
    COUNT("radish.async_enqueue", async_enqueue, "cycles to hand a check to a spare core"),
    FLAG("radish.filter_stack", filter_stack,
         "a thread's accesses to its own stack are not checked"),
    {"radish.race_free",
     Unit::Ranges,
     nullptr,
     nullptr,
     {},
     nullptr,
     nullptr,
     "pages known to be free of races: [\"0x7000-0x9000\", ...]"},
    COUNT("software.entry", software_entry,
          "cycles to enter the software manager, paid by each check, handler and LARD operation"),
    COUNT("software.check", check_instructions,
          "instructions of a software check, for each variable it looks at"),
    COUNT("software.evict", evict_instructions, "instructions to store one evicted metadata line"),
    COUNT("software.clock", clock_instructions, "instructions for each entry of a vector clock"),
    COUNT("fasttrack.instrumentation", fasttrack_instrumentation,
          "instructions that FastTrack adds to every access"),
    COUNT("fasttrack.update", fasttrack_update,
          "more of them where an epoch changes: check, lock, update, unlock"),
    FLAG("lard.enabled", lard,
         "obey the trace's system marks, frees, moves and switches of identity"),
    BYTES("lard.page", page, "a clear or copy of history never crosses such a page"),
    COUNT("run.assumed_instructions", assumed_instructions,
          "instructions assumed before each access, for traces without counts"),
    COUNT("run.sample", sample, "cycles between two looks at the caches' contents"),
};

#undef COUNT
#undef BYTES
#undef FLAG
#undef CHOICE

const Parameter* find(std::string_view key) {
  const auto it = std::find_if(std::begin(kTable), std::end(kTable),
                               [&](const Parameter& p) { return key == p.key; });
  return it == std::end(kTable) ? nullptr : it;
}

// A whole number, with K, M or G behind it where bytes are meant.
std::optional<std::uint64_t> number(std::string_view text, bool bytes) {
  std::uint64_t value = 0;
  std::string plain;
  for (const char c : text) {
    if (c != '_') plain += c;  // TOML allows 16_777_216
  }
  const bool hex = plain.starts_with("0x");
  const char* const begin = plain.data() + (hex ? 2 : 0);
  const char* const end = plain.data() + plain.size();
  const auto parsed = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (parsed.ec != std::errc()) return std::nullopt;
  std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  if (bytes && !hex && !rest.empty()) {
    const unsigned shift = rest[0] == 'K' || rest[0] == 'k' ? 10
                           : rest[0] == 'M'                 ? 20
                           : rest[0] == 'G'                 ? 30
                                                            : 0;
    if (shift != 0) {
      if (value > (~std::uint64_t{0} >> shift)) return std::nullopt;
      value <<= shift;
      rest.remove_prefix(1);
      if (rest == "B" || rest == "iB") rest = {};
    }
  }
  return rest.empty() ? std::optional(value) : std::nullopt;
}

std::string bytes_text(std::uint64_t n) {
  if (n != 0 && n % (1 << 20) == 0) return fmt::format("{}M", n >> 20);
  if (n != 0 && n % (1 << 10) == 0) return fmt::format("{}K", n >> 10);
  return std::to_string(n);
}

std::string ranges_text(const std::vector<AddressRange>& ranges) {
  std::string text;
  for (const auto& [first, end] : ranges) {
    text += fmt::format("{}{:#x}-{:#x}", text.empty() ? "" : ", ", first, end);
  }
  return text.empty() ? "none" : text;
}

std::string value_text(const Parameter& p, const Config& config) {
  Config& c = const_cast<Config&>(config);  // read only: the table serves both ways
  switch (p.unit) {
    case Unit::Count:
      return std::to_string(p.number(c));
    case Unit::Bytes:
      return bytes_text(p.number(c));
    case Unit::Bool:
      return p.flag(c) ? "true" : "false";
    case Unit::Choice:
      return std::string(p.words[p.chosen(c)]);
    case Unit::Ranges:
      return ranges_text(c.race_free);
  }
  return {};
}

std::optional<std::string> add_range(Config& c, std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = number(text.substr(0, dash), false);
  const auto end =
      dash == std::string_view::npos ? std::nullopt : number(text.substr(dash + 1), false);
  if (!first || !end || *first >= *end) {
    return fmt::format("radish.race_free: expected FIRST-END with FIRST below END, found '{}'",
                       text);
  }
  c.race_free.emplace_back(*first, *end);
  std::sort(c.race_free.begin(), c.race_free.end());
  return std::nullopt;
}

// The key that is nearest to what was written: the last part of it alone is enough.
std::string hint(std::string_view key) {
  const std::string_view tail = key.substr(key.rfind('.') + 1);
  for (const Parameter& p : kTable) {
    const std::string_view known = p.key;
    if (known.substr(known.rfind('.') + 1) == tail)
      return fmt::format(" (did you mean '{}'?)", known);
  }
  return "; 'steward simulate --parameters' lists them";
}

std::optional<std::string> check_cache(const char* name, const CacheConfig& c, std::uint64_t line) {
  if (c.ways == 0) return fmt::format("{}.ways: a cache needs at least one way", name);
  if (c.ways > 1024) return fmt::format("{}.ways: at most 1024, found {}", name, c.ways);
  if (c.size == 0 || c.size % (c.ways * line) != 0) {
    return fmt::format("{}.size: {} bytes do not divide into {} ways of {}-byte lines", name,
                       bytes_text(c.size), c.ways, line);
  }
  const std::uint64_t sets = c.size / (c.ways * line);
  if (!std::has_single_bit(sets)) {
    return fmt::format("{}.size: {} bytes in {} ways make {} sets, which is no power of two", name,
                       bytes_text(c.size), c.ways, sets);
  }
  if (c.size > (std::uint64_t{4} << 30)) return fmt::format("{}.size: at most 4G", name);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> set(Config& config, std::string_view key, std::string_view value) {
  const Parameter* p = find(key);
  if (p == nullptr) return fmt::format("unknown key '{}'{}", key, hint(key));
  const auto expected = [&](const char* what) {
    return fmt::format("{}: expected {}, found '{}'", key, what, value);
  };
  switch (p->unit) {
    case Unit::Count:
    case Unit::Bytes: {
      const bool bytes = p->unit == Unit::Bytes;
      const auto n = number(value, bytes);
      if (!n) return expected(bytes ? "a number of bytes, as 65536 or 64K" : "a whole number");
      p->number(config) = *n;
      return std::nullopt;
    }
    case Unit::Bool:
      if (value != "true" && value != "false") return expected("true or false");
      p->flag(config) = value == "true";
      return std::nullopt;
    case Unit::Choice: {
      const auto it = std::find(p->words.begin(), p->words.end(), value);
      if (it == p->words.end()) {
        return expected(fmt::format("{} or {}", p->words[0], p->words[1]).c_str());
      }
      p->choose(config, static_cast<std::uint8_t>(it - p->words.begin()));
      return std::nullopt;
    }
    case Unit::Ranges:
      return add_range(config, value);
  }
  return std::nullopt;
}

std::optional<std::string> check(const Config& c) {
  if (c.cores == 0) return "machine.cores: a machine needs at least one core";
  if (c.cores > kMaxCores || c.async_cores > kMaxCores || c.cores + c.async_cores > kMaxCores) {
    return fmt::format("machine.cores: at most {} cores, spare ones among them, found {}",
                       kMaxCores, c.cores + c.async_cores);
  }
  if (!std::has_single_bit(c.line) || c.line < 16 || c.line > kMaxLine) {
    return fmt::format("machine.line: expected 16, 32 or 64 bytes, found {}", c.line);
  }
  if (auto wrong = check_cache("l1", c.l1, c.line)) return wrong;
  if (auto wrong = check_cache("l2", c.l2, c.line)) return wrong;
  if (auto wrong = check_cache("l3", c.l3, c.line)) return wrong;
  if (c.l2.size < c.l1.size) return "l2.size: L2 holds all that L1 holds, and is smaller";
  if (c.l3.size < c.l2.size) return "l3.size: L3 holds all that an L2 holds, and is smaller";
  if (c.clock_bits < 2 || c.clock_bits > 14) {
    return fmt::format("radish.clock_bits: expected 2 to 14, found {}", c.clock_bits);
  }
  if (c.eviction_buffer == 0) return "radish.eviction_buffer: an evicted line needs a place";
  if (c.async_queue == 0) return "radish.async_queue: a check needs a place";
  if (!std::has_single_bit(c.page) || c.page < c.line) {
    return fmt::format("lard.page: expected a power of two, at least a line, found {}", c.page);
  }
  if (c.sample == 0) return "run.sample: expected at least one cycle";
  constexpr std::uint64_t kLongest = 1'000'000'000;
  for (const Parameter& p : kTable) {
    if (p.unit != Unit::Count) continue;
    if (p.number(const_cast<Config&>(c)) > kLongest) {
      return fmt::format("{}: at most {}, found {}", p.key, kLongest,
                         p.number(const_cast<Config&>(c)));
    }
  }
  return std::nullopt;
}

std::vector<Setting> settings(const Config& config) {
  std::vector<Setting> all;
  for (const Parameter& p : kTable) {
    all.push_back({p.key, value_text(p, config), value_text(p, Config{}), p.help});
  }
  return all;
}

}  // namespace steward::sim
