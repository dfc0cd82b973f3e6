// A report as plain data: what was found, in names and lines. The printers read it, nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
};

struct Race {
  int pid = 0;
  Address address = 0;
  std::uint64_t size = 0;
  std::vector<Access> accesses;  // two; the later one first
  Memory memory;
  std::vector<Lock> locks;
  std::vector<Thread> threads;  // those named by what is above
  std::string fingerprint;      // the same in later runs and, mostly, later builds
  std::uint64_t count = 1;      // how many raw races were merged into it

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
};

// How the target ended, as far as a launcher saw it.
struct Run {
  std::vector<std::string> command;
  std::optional<int> exit_code;
  std::optional<int> signal;
  double seconds = 0;
};

struct Report {
  std::string tool;
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

  std::uint64_t occurrences() const;  // raw races that are reported
};

}  // namespace steward::report
