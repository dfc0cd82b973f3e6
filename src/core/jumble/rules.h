// The rules of adversarial memory by name, and how often each applied. [X] are those of the paper's
// Figure 6; the C++ ones are named after the paragraphs of the standard (C++20, [atomics.order] and
// [intro.races]).
#pragma once

#include <array>
#include <cstdint>

namespace steward::jumble {

enum class Rule : std::uint8_t {
  Write,         // [WRITE]
  ReadOne,       // [READ], one value visible
  ReadChoice,    // [READ], several
  ReadStale,     // ... and another than the latest was returned
  ReadTorn,      // parts of different writes were put together
  Gc1,           // [GC1], an entry
  Gc2,           // [GC2], an entry
  RemoveOldest,  // [REMOVE OLDEST], an entry
  Fairness,      // the latest value was returned because a spin loop must end
  Load,
  LoadChoice,
  LoadStale,
  Store,
  Modify,           // a read-modify-write
  FailedExchange,   // a compare-exchange that fails: a load
  ReleaseSequence,  // a read-modify-write goes on with the sequence it read from
  Acquire,          // a load that takes what its store released
  AcquireFence,
  ReleaseFence,
  ScFence,
  Coherence,     // the floor: a store, or a store that was read, in the past of this load
  ScOperation,   // 4.1: ... of an earlier seq_cst operation, for a seq_cst load
  ScFenceLate,   // 4.2: ... in the past of an earlier seq_cst fence, for a seq_cst load
  ScFenceEarly,  // 4.3: ... of a seq_cst operation before a seq_cst fence in this load's past
  ScFences,      // 4.4: ... in the past of a fence before a fence in this load's past
};
inline constexpr unsigned kRules = 25;

constexpr const char* name(Rule r) {
  constexpr const char* kNames[kRules] = {"write",
                                          "read, one value",
                                          "read, a choice",
                                          "read, stale",
                                          "read, torn",
                                          "gc1",
                                          "gc2",
                                          "remove oldest",
                                          "fairness",
                                          "atomic load",
                                          "atomic load, a choice",
                                          "atomic load, stale",
                                          "atomic store",
                                          "read-modify-write",
                                          "compare-exchange failed",
                                          "release sequence goes on",
                                          "acquire",
                                          "acquire fence",
                                          "release fence",
                                          "seq_cst fence",
                                          "floor: coherence",
                                          "floor: seq_cst operations (4.1)",
                                          "floor: operation, fence (4.2)",
                                          "floor: fence, operation (4.3)",
                                          "floor: fence, fence (4.4)"};
  return kNames[static_cast<unsigned>(r)];
}

class RuleCounts {
 public:
  void add(Rule r, std::uint64_t n = 1) { counts_[static_cast<unsigned>(r)] += n; }
  std::uint64_t operator[](Rule r) const { return counts_[static_cast<unsigned>(r)]; }
  void add(const RuleCounts& o) {
    for (unsigned i = 0; i < kRules; ++i) counts_[i] += o.counts_[i];
  }

 private:
  std::array<std::uint64_t, kRules> counts_{};
};

}  // namespace steward::jumble
