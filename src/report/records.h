// The raw records a process under test leaves behind: JSON Lines, addresses not yet symbolised.
// docs/report-format.md describes them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "event/ids.h"
#include "event/race.h"

namespace steward::report {

inline constexpr int kRecordVersion = 1;

// Return addresses, innermost first.
using RawStack = std::vector<Address>;

struct StartRecord {
  int pid = 0;
  std::string tool;
  std::string exe;
  std::vector<std::string> args;
  std::optional<double> sampling_rate;
};

// A file mapped at [begin, end). An address of the file is that of the process minus `load`.
struct ModuleRecord {
  std::string path;
  Address begin = 0;
  Address end = 0;
  Address load = 0;
  std::string build_id;
};

struct ThreadRecord {
  std::uint32_t id = 0;
  int os = 0;
  std::string name;
  std::optional<std::uint32_t> parent;
  RawStack stack;  // where it was created
};

struct RawAccess {
  AccessKind kind{};
  Address address = 0;
  std::uint64_t size = 0;
  std::uint32_t thread = 0;
  RawStack stack;
  bool stack_lost = false;  // what is in `stack` is all that was left of it
  std::vector<std::uint32_t> locks;
};

enum class MemoryKind : std::uint8_t { Unknown, Heap, Global, Stack, Tls, Fd };

constexpr const char* name(MemoryKind k) {
  switch (k) {
    case MemoryKind::Unknown:
      return "unknown";
    case MemoryKind::Heap:
      return "heap";
    case MemoryKind::Global:
      return "global";
    case MemoryKind::Stack:
      return "stack";
    case MemoryKind::Tls:
      return "tls";
    case MemoryKind::Fd:
      return "fd";
  }
  return "?";
}

struct RawMemory {
  MemoryKind kind = MemoryKind::Unknown;
  Address begin = 0;
  std::uint64_t size = 0;
  std::optional<std::uint32_t> thread;  // who allocated or owns it
  int fd = -1;
  RawStack stack;
};

struct RawLock {
  std::uint32_t id = 0;
  Address address = 0;
  std::string kind;
  RawStack stack;  // where it was made, or first locked
};

// No lock protects both accesses: a finding of the lockset tool, which need not be a race. Locks
// by id; 0 stands for atomicity, which all atomic accesses share.
struct Discipline {
  bool ordered = false;                       // something else orders them: no happens-before race
  std::vector<std::uint32_t> later, earlier;  // that protect either
  std::vector<std::uint32_t> common;          // that protected every access before
};

struct RaceRecord {
  Address address = 0;
  std::uint64_t size = 0;
  std::vector<RawAccess> accesses;  // the later one first
  RawMemory memory;
  std::vector<RawLock> locks;
  std::optional<Discipline> discipline;
};

struct MessageRecord {
  std::string level;
  std::string kind;  // the kind of suppression it is subject to, or none
  std::string text;
  RawStack stack;
};

using Stats = std::map<std::string, std::int64_t>;

// What a detector that samples did (PACER). Work is what it measures its rate in.
struct Sampling {
  struct Times {
    std::uint64_t sampling = 0;
    std::uint64_t not_sampling = 0;
  };
  double rate = 0;  // the last that was asked for
  std::uint64_t periods = 0, sampled_periods = 0, work = 0, sampled_work = 0, activations = 0;
  std::map<std::string, std::uint64_t> spent_us;  // the processors' time, by what was checked
  std::map<std::string, Times> rules;

  void operator+=(const Sampling& o);  // of another process
};

struct EndRecord {
  std::uint64_t races = 0;
  Stats stats;
  std::optional<Sampling> sampling;
};

// Rules that the program brings with it (__tsan_default_suppressions).
struct SuppressionsRecord {
  std::string text;
};

using Record = std::variant<StartRecord, SuppressionsRecord, ModuleRecord, ThreadRecord, RaceRecord,
                            MessageRecord, EndRecord>;

// One line. The second is what is wrong with it; a type of record that is not known is none and
// nothing wrong: a later version may have added it.
struct ParsedLine {
  std::optional<Record> record;
  std::string error;
};
ParsedLine parse_record(std::string_view line);

// Cuts what arrives in pieces into lines.
class LineSplitter {
 public:
  void feed(std::string_view bytes) { pending_.append(bytes); }
  // The next whole line without its line feed, valid until feed() or next().
  std::optional<std::string_view> next();
  // What came after the last line feed.
  std::string_view rest() const { return std::string_view(pending_).substr(taken_); }

 private:
  std::string pending_;
  std::size_t taken_ = 0;
};

}  // namespace steward::report
