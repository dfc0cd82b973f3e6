#include "report/phrases.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/frames.h"
#include "report/utf8.h"

namespace steward::report {

std::string bytes_text(std::uint64_t n) {
  return fmt::format("{} byte{}", n, n == 1 ? "" : "s");
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

std::string cause_text(const Race& race) {
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
      return fmt::format("both hold M{}, but not so that it orders them", id);
    }
  }
  return "they hold different locks";
}

}  // namespace steward::report
