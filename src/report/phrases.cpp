#include "report/phrases.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/frames.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

// " at a sampling rate of 3%"; empty: everything was looked at, or runs differ.
std::string sampling_text(const Report& report) {
  double rate = report.sampling_rate.value_or(1);
  if (!report.batches.empty()) rate = report.batches[0].sampling_rate;
  const bool all = std::all_of(report.batches.begin(), report.batches.end(),
                               [&](const Batch& b) { return b.sampling_rate == rate; });
  return all && rate < 1 ? fmt::format(" at a sampling rate of {}", percent_text(rate)) : "";
}

}  // namespace

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t n) {
  return counted(n, "byte");
}

std::string percent_text(double share) {
  const double percent = share * 100;
  if (percent >= 10 || percent == 0) return fmt::format("{:.0f}%", percent);
  return fmt::format("{:.2g}%", percent);
}

std::string command_text(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("_-+=./:,@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (!out.empty()) out += ' ';
    if (plain) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

std::string thread_text(const Race& race, std::uint32_t id) {
  if (id == 0) return "main thread";
  const Thread* t = race.thread(id);
  if (t == nullptr || t->name.empty()) return fmt::format("T{}", id);
  return fmt::format("T{} '{}'", id, printable(t->name));
}

std::string memory_text(const Race& race) {
  const Memory& m = race.memory;
  const std::string owner = m.thread ? thread_text(race, *m.thread) : "a thread";
  switch (m.kind) {
    case MemoryKind::Global:
      if (m.symbol.empty()) {
        return m.module.empty() ? "a global"
                                : fmt::format("a global of {}", printable(base_name(m.module)));
      }
      return fmt::format("global '{}'", printable(m.symbol));
    case MemoryKind::Heap:
      return fmt::format("a heap block of {}", bytes_text(m.size));
    case MemoryKind::Stack:
      return fmt::format("the stack of {}", owner);
    case MemoryKind::Tls:
      return fmt::format("thread-local memory of {}", owner);
    case MemoryKind::Fd:
      return fmt::format("file descriptor {}", m.fd);
    case MemoryKind::Unknown:
      break;
  }
  return fmt::format("{:#x}", race.address);
}

std::string where_text(const Race& race) {
  const Memory& m = race.memory;
  const std::uint64_t inside = race.address - m.begin;
  const bool bounded = m.size != 0 && inside < m.size;
  std::string where;
  if (m.kind == MemoryKind::Global && !m.symbol.empty()) {
    where = fmt::format("{} of {} at {:#x}", memory_text(race), bytes_text(m.size), m.begin);
    if (bounded && inside != 0) where += fmt::format(", {} bytes into it", inside);
    where += fmt::format(", in {}", printable(base_name(m.module)));
    if (!m.file.empty()) {
      where += fmt::format(" ({}:{})", printable(relative(m.file)), m.line);
    }
  } else if (m.kind == MemoryKind::Heap) {
    where = fmt::format("{} at {:#x}", memory_text(race), m.begin);
    if (bounded && inside != 0) where += fmt::format(", {} bytes into it", inside);
    if (m.thread) where += fmt::format(", allocated by {}", thread_text(race, *m.thread));
  } else if (m.kind == MemoryKind::Fd) {
    where = memory_text(race);
    if (m.thread) where += fmt::format(", opened by {}", thread_text(race, *m.thread));
  } else {
    where = memory_text(race);
  }
  return where;
}

std::string lock_text(const Lock& lock) {
  return fmt::format("M{}: {} at {:#x}", lock.id, lock.kind.empty() ? "lock" : printable(lock.kind),
                     lock.address);
}

namespace {

std::string locks_text(const std::vector<std::uint32_t>& ids) {
  if (ids.empty()) return "no lock";
  std::string out;
  for (const std::uint32_t id : ids) {
    out += out.empty() ? "" : ", ";
    out += id == 0 ? "atomicity" : fmt::format("M{}", id);
  }
  return out;
}

// Why the set became empty.
std::string broken_text(const Race& race) {
  const Discipline& d = *race.discipline;
  const auto end = [&](const Access& a, const std::vector<std::uint32_t>& protects) {
    const std::string who = thread_text(race, a.thread);
    if (!protects.empty()) return std::string();
    if (a.locks.empty() || a.stack_lost) return fmt::format("{} holds no lock", who);
    return fmt::format("{} holds M{} for reading, which does not protect a write", who, a.locks[0]);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string text = end(race.accesses[i], i == 0 ? d.later : d.earlier);
    if (!text.empty()) return text;
  }
  const bool share = std::any_of(d.later.begin(), d.later.end(), [&](std::uint32_t id) {
    return std::find(d.earlier.begin(), d.earlier.end(), id) != d.earlier.end();
  });
  return share ? "no lock is common to all accesses" : "they hold different locks";
}

}  // namespace

std::string kind_text(const Race& race) {
  return race.discipline ? "no common lock" : "data race";
}

std::string findings_text(const Report& report) {
  std::uint64_t broken = 0, racing = 0;
  for (const Race& race : report.races) {
    if (!race.discipline) continue;
    ++broken;
    if (!race.discipline->ordered) ++racing;
  }
  if (broken == 0) return counted(report.races.size(), "data race");
  std::string out;
  if (broken < report.races.size()) {
    out = counted(report.races.size() - broken, "data race") + ", ";
  }
  return out + fmt::format("{} without a common lock, {} of them a happens-before race in this run",
                           counted(broken, "pair") + " of accesses",
                           racing == 0 ? "none" : std::to_string(racing));
}

std::string discipline_text(const Race& race) {
  if (!race.discipline) return {};
  const Discipline& d = *race.discipline;
  std::string out = fmt::format("  protected by: {}; earlier {}; every access before: {}\n",
                                locks_text(d.later), locks_text(d.earlier), locks_text(d.common));
  if (race.memory.kind == MemoryKind::Heap && race.address >= race.memory.begin &&
      race.address < race.memory.begin + race.memory.size) {
    const std::uint64_t first = race.address - race.memory.begin;
    out += fmt::format("  field: bytes {} to {} of {}\n", first, first + race.size - 1,
                       race.memory.size);
  }
  return out + (d.ordered
                    ? "  not a happens-before race: something other than a common lock orders "
                      "the two in this run (a hand-over, or luck)\n"
                    : "  also a happens-before race: nothing orders the two in this run\n");
}

std::string order_text(const Race& race) {
  if (!race.discipline) return {};
  return race.discipline->ordered ? "not a happens-before race in this run"
                                  : "also a happens-before race in this run";
}

std::string cause_text(const Race& race) {
  if (race.discipline) return broken_text(race);
  const Access& a = race.accesses[0];
  const Access& b = race.accesses[1];
  if (is_atomic(a.kind) != is_atomic(b.kind)) {
    const Access& plain = is_atomic(a.kind) ? b : a;
    return fmt::format("the {} is not atomic", name(plain.kind));
  }
  const std::string later = thread_text(race, a.thread);
  // What the earlier access held is known as long as its stack is.
  if (a.locks.empty() && b.locks.empty() && !b.stack_lost) return "neither holds a lock";
  if (a.locks.empty()) return fmt::format("{} holds no lock", later);
  if (b.locks.empty()) {
    return b.stack_lost ? fmt::format("the lock {} holds does not order them", later)
                        : fmt::format("{} holds no lock", thread_text(race, b.thread));
  }
  for (const std::uint32_t id : a.locks) {
    if (std::find(b.locks.begin(), b.locks.end(), id) != b.locks.end()) {
      const Lock* lock = race.lock(id);
      return lock != nullptr && lock->kind == "rwlock"
                 ? fmt::format("both hold M{} for reading, which orders nothing", id)
                 : fmt::format("both hold M{}, but not so that it orders them", id);
    }
  }
  return "they hold different locks";
}

std::string what_text(const Race& race) {
  const auto end = [&](const Access& access) {
    const std::string in =
        access.stack.empty()
            ? ""
            : fmt::format(" in {}", shortened(printable(readable_function(access.stack[0])), 60));
    return fmt::format("{} by {}{}", name(access.kind), thread_text(race, access.thread), in);
  };
  return fmt::format("{} on {}: {}, earlier {}", kind_text(race), memory_text(race),
                     end(race.accesses[0]), end(race.accesses[1]));
}

std::string seen_text(const Race& race, const Report& report) {
  if (report.runs() < 2) return {};
  return fmt::format("seen in {} of {} runs{}", race.runs_seen(), report.runs(),
                     sampling_text(report));
}

std::string frequency_text(const Race& race) {
  if (!race.frequency) return {};
  const Frequency& f = *race.frequency;
  return fmt::format("happens in about {} of runs (95%: {} to {})", percent_text(f.estimate),
                     percent_text(f.low), percent_text(f.high));
}

std::string verdict_text(const Race& race) {
  if (!race.verdict) return {};
  const Verdict& v = *race.verdict;
  return fmt::format("{}{}{}", name(v.harm), v.summary.empty() ? "" : ": ", printable(v.summary));
}

std::string overview_text(const Report& report) {
  const auto count = [&](auto which) {
    return static_cast<std::uint64_t>(
        std::count_if(report.races.begin(), report.races.end(), which));
  };
  std::string out = findings_text(report);
  std::vector<std::string> parts;
  if (std::any_of(report.races.begin(), report.races.end(),
                  [](const Race& r) { return r.novelty != Novelty::NotAsked; })) {
    parts.push_back(
        fmt::format("{} new", count([](const Race& r) { return r.novelty == Novelty::New; })));
  }
  for (const Harm harm : {Harm::Destructive, Harm::NoHarmSeen, Harm::NotExercised}) {
    const std::uint64_t n = count([&](const Race& r) { return r.harm() == harm; });
    if (n != 0) parts.push_back(fmt::format("{} {}", n, name(harm)));
  }
  if (!parts.empty()) out += fmt::format(" ({})", fmt::join(parts, ", "));
  if (report.runs() > 1) out += fmt::format(" in {} runs", report.runs());
  out += sampling_text(report);
  if (report.suppressed != 0) out += fmt::format("; {} suppressed", report.suppressed);
  return out;
}

std::string gone_text(const Report& report) {
  if (report.gone.empty()) return {};
  const std::size_t n = report.gone.size();
  std::string out =
      fmt::format("{} of the baseline's races {} not seen", n, n == 1 ? "was" : "were");
  if (report.unseen) {
    out += *report.unseen >= 1
               ? "; so few runs cannot tell whether they are gone"
               : fmt::format("; a race in more than {} of runs would have been (95%)",
                             percent_text(*report.unseen));
  }
  return out;
}

std::string reproduce_command(const Race& race, const Report& report) {
  if (race.verdict && !race.verdict->replay.empty()) return race.verdict->replay;
  std::vector<std::string> command = report.run.command;
  std::string tool = report.tool;
  std::string folder = report.run.folder;
  if (!race.seen.empty() && race.seen[0].batch < report.batches.size()) {
    const Batch& batch = report.batches[race.seen[0].batch];
    command = batch.command;
    tool = batch.tool;
    folder = batch.folder;
  }
  if (command.empty()) return {};
  // Every access looked at: the surest way to see it again.
  std::string out = folder.empty() ? "" : fmt::format("cd {} && ", command_text({folder}));
  out += "steward run ";
  if (!tool.empty() && tool != "fasttrack" && tool != "pacer") {
    out += fmt::format("--tool {} ", command_text({tool}));
  }
  return out + "-- " + command_text(command);
}

std::string suppression_rule(const Race& race) {
  for (const Access& access : race.accesses) {
    std::vector<std::string> names;  // the innermost two that have one
    for (const Frame& frame : access.stack) {
      if (!frame.function.empty() && !is_plumbing(frame) && names.size() < 2) {
        names.push_back(fmt::format("^{}$", readable_function(frame)));
      }
    }
    if (names.empty()) continue;
    std::reverse(names.begin(), names.end());
    return fmt::format("race:{}{}", names.size() > 1 ? " " : "", fmt::join(names, " -> "));
  }
  if (!race.memory.symbol.empty()) return fmt::format("race:^{}$", race.memory.symbol);
  return {};
}

}  // namespace steward::report
