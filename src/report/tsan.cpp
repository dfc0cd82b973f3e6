#include "report/tsan.h"

#include <fmt/format.h>

#include "report/frames.h"
#include "report/phrases.h"
#include "report/utf8.h"

namespace steward::report {

namespace {

constexpr const char* kRule = "==================\n";

std::string thread_words(std::uint32_t id) {
  return id == 0 ? "main thread" : fmt::format("thread T{}", id);
}

std::string frames(const Stack& stack) {
  if (stack.empty()) return "    [failed to restore the stack]\n\n";
  std::string out;
  std::size_t number = 0;
  for (const Frame& f : stack) {
    const std::string place = place_text(f);
    out += fmt::format("    #{} {} {}", number++,
                       f.function.empty() ? "<null>" : printable(f.function),
                       place.empty() ? "<null>" : printable(place));
    if (!f.module.empty()) {
      out += fmt::format(" ({}+{:#x})", printable(base_name(f.module)), f.offset);
    }
    out += "\n";
  }
  return out + "\n";
}

const char* kind_words(AccessKind kind, bool first) {
  switch (kind) {
    case AccessKind::Read:
      return first ? "Read" : "Previous read";
    case AccessKind::Write:
      return first ? "Write" : "Previous write";
    case AccessKind::AtomicRead:
      return first ? "Atomic read" : "Previous atomic read";
    case AccessKind::AtomicWrite:
      return first ? "Atomic write" : "Previous atomic write";
  }
  return "";
}

std::string mutexes(const Access& access) {
  if (access.locks.empty()) return "";
  std::string out = " (mutexes:";
  const char* separator = " ";
  for (const std::uint32_t id : access.locks) {
    out += fmt::format("{}write M{}", separator, id);
    separator = ", ";
  }
  return out + ")";
}

std::string location(const Race& race) {
  const Memory& m = race.memory;
  const std::uint32_t thread = m.thread.value_or(0);
  switch (m.kind) {
    case MemoryKind::Global:
      if (m.symbol.empty()) return {};
      return fmt::format("  Location is global '{}' of size {} at {:#014x} ({}+{:#x})\n\n",
                         printable(m.symbol), m.size, m.begin, printable(base_name(m.module)),
                         m.offset);
    case MemoryKind::Heap:
      return fmt::format("  Location is heap block of size {} at {:#014x} allocated by {}:\n",
                         m.size, m.begin, thread_words(thread)) +
             frames(m.stack);
    case MemoryKind::Stack:
      return fmt::format("  Location is stack of {}.\n\n", thread_words(thread));
    case MemoryKind::Tls:
      return fmt::format("  Location is TLS of {}.\n\n", thread_words(thread));
    case MemoryKind::Fd:
      return fmt::format("  Location is file descriptor {} created by {} at:\n", m.fd,
                         thread_words(thread)) +
             frames(m.stack);
    case MemoryKind::Unknown:
      break;
  }
  return {};
}

std::string threads(const Race& race) {
  std::string out;
  for (const Thread& t : race.threads) {
    if (t.id == 0) continue;
    out += fmt::format("  Thread T{}{} (tid={}, running) created by {} at:\n", t.id,
                       t.name.empty() ? "" : fmt::format(" '{}'", printable(t.name)), t.os,
                       thread_words(t.parent.value_or(0))) +
           frames(t.stack);
  }
  return out;
}

std::string summary(const Race& race) {
  for (const Access& access : race.accesses) {
    if (access.stack.empty()) continue;
    const Frame& f = access.stack[0];
    const std::string place =
        f.file.empty() ? fmt::format("({}+{:#x})", printable(base_name(f.module)), f.offset)
                       : printable(place_text(f));
    return f.function.empty() ? place : fmt::format("{} in {}", place, printable(f.function));
  }
  return fmt::format("at {:#x}", race.address);
}

}  // namespace

std::string tsan_race(const Race& race) {
  std::string out =
      kRule + fmt::format("WARNING: ThreadSanitizer: {} (pid={})\n", kind_text(race), race.pid);
  bool first = true;
  for (const Access& a : race.accesses) {
    out += fmt::format("  {} of size {} at {:#014x} by {}{}:\n", kind_words(a.kind, first), a.size,
                       a.address, thread_words(a.thread), mutexes(a)) +
           frames(a.stack);
    first = false;
  }
  out += location(race);
  for (const Lock& lock : race.locks) {
    out += fmt::format("  Mutex M{} ({:#014x}) created at:\n", lock.id, lock.address) +
           frames(lock.stack);
  }
  return out + threads(race) +
         fmt::format("SUMMARY: ThreadSanitizer: {} {}\n", kind_text(race), summary(race)) + kRule;
}

std::string tsan_message(const Message& message) {
  return fmt::format("ThreadSanitizer: {}: {}\n", printable(message.level),
                     printable(message.text));
}

std::string tsan_closing(const Report& report) {
  if (report.races.empty()) return {};
  return fmt::format("ThreadSanitizer: reported {} warnings\n", report.races.size());
}

}  // namespace steward::report
