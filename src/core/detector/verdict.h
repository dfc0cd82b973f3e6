// What a transition on one variable answers: the rule that applied and the accesses it raced with.
#pragma once

#include <cstdint>

#include "core/clock/read_map.h"
#include "event/race.h"

namespace steward {

// The rules of FastTrack's Algorithms 7-8, which are PACER's Table 4 when sampling, and their
// extension to atomic accesses (docs/detectors/fasttrack.md).
enum class AccessRule : std::uint8_t {
  ReadSameEpoch,
  ReadExclusive,
  ReadShared,
  WriteSameEpoch,
  WriteExclusive,
  WriteShared,
  AtomicReadSameEpoch,
  AtomicReadExclusive,
  AtomicReadShared,
  AtomicWriteSameEpoch,
  AtomicWriteExclusive,
  AtomicWriteShared,
};
inline constexpr unsigned kAccessRules = 12;

constexpr const char* name(AccessRule r) {
  constexpr const char* kNames[kAccessRules] = {
      "read same epoch",        "read exclusive",         "read shared",
      "write same epoch",       "write exclusive",        "write shared",
      "atomic read same epoch", "atomic read exclusive",  "atomic read shared",
      "atomic write same epoch", "atomic write exclusive", "atomic write shared"};
  return kNames[static_cast<unsigned>(r)];
}

// The earlier access of a race, as the variable's history knows it.
struct Conflict {
  AccessKind kind{};
  Stamp stamp;
};

class Verdict {
 public:
  static constexpr unsigned kListed = 8;

  AccessRule rule{};

  bool racy() const { return total_ != 0; }
  // Conflicts in all, and those listed (at most kListed).
  unsigned total() const { return total_; }
  unsigned listed() const { return total_ < kListed ? total_ : kListed; }
  const Conflict& operator[](unsigned i) const { return list_[i]; }

  void add(AccessKind kind, const Stamp& stamp) {
    if (total_ < kListed) list_[total_] = {kind, stamp};
    ++total_;
  }

 private:
  unsigned total_ = 0;
  // Left uninitialised on purpose: a verdict is made for every access and hardly ever racy.
  union {
    Conflict list_[kListed];
  };

 public:
  Verdict() {}  // NOLINT(modernize-use-equals-default): the union forbids it
};

}  // namespace steward
