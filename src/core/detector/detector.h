// A detector over a stream of events. Virtual only here, at the edge of a batch.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "event/event.h"
#include "event/race.h"

namespace steward {

// One counter. Sampling detectors count what happens in sampling periods and outside apart.
struct Stat {
  const char* name = "";
  std::uint64_t outside = 0;
  std::uint64_t sampling = 0;
  bool split = false;
};

// How much of the program a sampling detector looked at.
struct SampledWork {
  std::uint64_t sampled_accesses = 0;
  std::uint64_t accesses = 0;
  std::uint64_t sampled_syncs = 0;
  std::uint64_t syncs = 0;
};

class Detector {
 public:
  virtual ~Detector() = default;
  virtual void process(std::span<const Event> events, RaceSink& sink) = 0;
  virtual void for_each_stat(const std::function<void(const Stat&)>& f) const = 0;
  virtual SampledWork work() const = 0;
  // The members of a set that a race names (RaceEnd::held, Race::lockset).
  virtual std::span<const std::uint64_t> locks_of(std::uint32_t) const { return {}; }
  // Bytes of detector state, now and at most.
  virtual std::size_t memory() const = 0;
  virtual std::size_t peak_memory() const = 0;
};

}  // namespace steward
