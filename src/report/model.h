// A report as plain data: what was found, in names and lines. The printers read it, nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/race.h"
#include "report/records.h"

namespace steward::report {

struct Frame {
  std::string function;  // demangled; empty: not known
  std::string file;
  unsigned line = 0;  // 0: not known
  unsigned column = 0;
  unsigned start_line = 0;  // of the function
  std::string module;
  Address offset = 0;    // in the module's file
  Address pc = 0;        // in the process
  bool inlined = false;  // into the frame below

  bool operator==(const Frame&) const = default;
};

using Stack = std::vector<Frame>;  // innermost first

struct Access {
  AccessKind kind{};
  Address address = 0;
  std::uint64_t size = 0;
  std::uint32_t thread = 0;
  Stack stack;
  bool stack_lost = false;
  std::vector<std::uint32_t> locks;
};

struct Memory {
  MemoryKind kind = MemoryKind::Unknown;
  Address begin = 0;
  std::uint64_t size = 0;
  std::optional<std::uint32_t> thread;
  int fd = -1;
  Stack stack;         // of the allocation
  std::string symbol;  // of a global, with its module and place when they are known
  std::string module;
  Address offset = 0;  // of the symbol in the module's file
  std::string file;
  unsigned line = 0;
};

struct Lock {
  std::uint32_t id = 0;
  Address address = 0;
  std::string kind;
  Stack stack;
};

struct Thread {
  std::uint32_t id = 0;
  int os = 0;
  int pid = 0;
  std::string name;
  std::optional<std::uint32_t> parent;
  Stack stack;
  std::uint32_t run = 0;  // of a merged report: ids and pids are those of one run
};

// Whether a race does harm, as far as it was tried. In the order of what a reader must see first.
enum class Harm : std::uint8_t { Destructive, NoHarmSeen, NotExercised, Unknown };

constexpr const char* name(Harm harm) {
  switch (harm) {
    case Harm::Destructive:
      return "destructive";
    case Harm::NoHarmSeen:
      return "no harm seen";
    case Harm::NotExercised:
      return "not exercised";
    case Harm::Unknown:
      return "not classified";
  }
  return "?";
}

std::optional<Harm> harm_named(std::string_view name);

// What trying a race's variable out has shown.
struct Verdict {
  Harm harm = Harm::Unknown;
  std::string summary;                // one sentence: what went wrong, or how much was tried
  std::vector<std::string> evidence;  // further sentences
  std::string variable;
  std::string model;      // memory model
  std::string heuristic;  // that chose the stale values
  std::string seed;       // of the run that went wrong
  std::string replay;     // command that shows it again
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;  // runs that went wrong
  std::uint64_t choices = 0;   // reads with more than one legal value
  std::uint64_t stale = 0;     // reads that returned an older one
  Stack stale_read;
  Stack stale_write;
};

// In how many of a batch's runs a race was seen.
struct Seen {
  std::size_t batch = 0;
  std::uint64_t runs = 0;

  bool operator==(const Seen&) const = default;
};

// The share of runs in which a race happens, seen or not; report/frequency.h says how.
struct Frequency {
  double estimate = 0;
  double low = 0;
  double high = 1;
  double at_least = 0;  // without the assumption that a run has one chance to show it
};

enum class Novelty : std::uint8_t { NotAsked, New, Known };

struct Race {
  std::uint32_t run = 0;  // of a merged report: that the details are of
  int pid = 0;
  Address address = 0;
  std::uint64_t size = 0;
  std::vector<Access> accesses;  // two; the later one first
  Memory memory;
  std::vector<Lock> locks;
  std::optional<Discipline> discipline;  // of the lockset tool: what was broken
  std::vector<Thread> threads;  // those named by what is above
  std::string fingerprint;      // the same in later runs and, mostly, later builds
  std::uint64_t count = 1;      // how many raw races were merged into it
  std::optional<Verdict> verdict;
  // Of merged reports.
  std::vector<Seen> seen;
  std::optional<Frequency> frequency;
  Novelty novelty = Novelty::NotAsked;  // compared with a baseline

  Harm harm() const { return verdict ? verdict->harm : Harm::Unknown; }
  std::uint64_t runs_seen() const;
  const Thread* thread(std::uint32_t id) const;
  const Lock* lock(std::uint32_t id) const;
};

struct Message {
  int pid = 0;
  std::string level;
  std::string kind;
  std::string text;
  Stack stack;
};

// One program image: exec makes a new one of the same pid.
struct Process {
  int pid = 0;
  std::string tool;
  std::string exe;
  std::vector<std::string> args;
  bool ended = false;        // its last record is there
  bool instrumented = true;  // false: a shell, say, that only carries the runtime along
  std::string build_id = {};
  std::string compiler = {};  // as the file says
};

// How the target ended, as far as a launcher saw it.
struct Run {
  std::vector<std::string> command;
  std::optional<int> exit_code;
  std::optional<int> signal;
  double seconds = 0;
  std::string folder = {};   // it was started in
  std::string started = {};  // 2026-01-31T12:00:00Z
  std::string host = {};
};

using Settings = std::map<std::string, std::string>;

// Runs of a merged report that differ in nothing that matters to how often a race is seen.
struct Batch {
  std::string tool;
  double sampling_rate = 1;
  std::vector<std::string> command;
  std::string folder;
  std::uint64_t runs = 0;
  std::uint64_t incomplete = 0;  // of them
};

// Lines of source files as they were when the report was made: by file, by number.
using Sources = std::map<std::string, std::map<unsigned, std::string>>;

struct Report {
  std::string tool;
  std::string version;                  // of Steward
  Settings settings;                    // of the tool
  std::optional<double> sampling_rate;  // nothing: every access is looked at
  std::vector<Process> processes;
  std::vector<Race> races;
  std::vector<Thread> threads;
  std::vector<Message> messages;
  std::vector<std::string> problems;  // with the records themselves; one line each
  Stats stats;                        // summed over the processes
  std::optional<Sampling> sampling;   // likewise; none: the detector does not sample
  Run run;
  std::uint64_t suppressed = 0;  // raw races
  bool incomplete = false;
  Sources sources;
  std::vector<Batch> batches;    // empty: the report is of one run
  std::vector<Race> gone;        // the baseline's that were not seen
  std::optional<double> unseen;  // a race in a larger share of runs would have been seen (95%)

  std::uint64_t occurrences() const;  // raw races that are reported
  std::uint64_t runs() const;
};

}  // namespace steward::report
