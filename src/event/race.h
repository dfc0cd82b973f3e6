// What a detector says: which two accesses raced. Plain data, no text.
#pragma once

#include <cstdint>

#include "event/ids.h"

namespace steward {

enum class AccessKind : std::uint8_t { Read, Write, AtomicRead, AtomicWrite };

constexpr bool is_write(AccessKind k) {
  return k == AccessKind::Write || k == AccessKind::AtomicWrite;
}
constexpr bool is_atomic(AccessKind k) { return k >= AccessKind::AtomicRead; }

// Two accesses conflict when one of them writes and not both are atomic.
constexpr bool conflict(AccessKind a, AccessKind b) {
  return (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b));
}

constexpr const char* name(AccessKind k) {
  switch (k) {
    case AccessKind::Read: return "read";
    case AccessKind::Write: return "write";
    case AccessKind::AtomicRead: return "atomic read";
    case AccessKind::AtomicWrite: return "atomic write";
  }
  return "?";
}

struct RaceEnd {
  AccessKind kind{};
  ThreadId thread{};
  SiteId site = kNoSite;
  std::uint32_t held = 0;  // the locks held, as Detector::locks_of knows them; lockset only

  bool operator==(const RaceEnd&) const = default;
};

struct Race {
  RaceEnd first;   // the earlier access, from the variable's history
  RaceEnd second;  // the access at which the race was found
  Address address = 0;
  std::uint32_t size = 0;           // bytes of the second access that share this history
  std::uint64_t event = 0;          // index of the second access in the trace, from 0
  std::uint32_t lockset = 0;        // lockset only: the set that the second access made empty

  bool operator==(const Race&) const = default;
};

// Races are rare, so this call may be virtual.
class RaceSink {
 public:
  virtual void race(const Race&) = 0;

 protected:
  ~RaceSink() = default;
};

}  // namespace steward
