// A simulated machine fed with events, batch by batch.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "event/event.h"
#include "sim/config.h"
#include "sim/counts.h"
#include "sim/radish/fault.h"

namespace steward::sim {

enum class Kind : std::uint8_t { None, FastTrack, Radish };

constexpr const char* name(Kind k) {
  constexpr const char* kNames[] = {"none", "fasttrack", "radish"};
  return kNames[static_cast<unsigned>(k)];
}

// An access at which a race was found.
struct RacyAccess {
  std::uint64_t event = 0;  // index in the trace, from 0
  Event access;
};
class RacySink {
 public:
  virtual void race(const RacyAccess&) = 0;

 protected:
  ~RacySink() = default;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual void process(std::span<const Event> events, RacySink& sink) = 0;
  // The cycle in which the last core was done.
  virtual std::uint64_t cycles() const = 0;
  virtual const Counts& counts() const = 0;
  virtual const std::vector<ContentsSample>& samples() const = 0;
  virtual std::uint64_t cache_lines() const = 0;  // of all caches together
  virtual std::size_t memory() const = 0;         // bytes of the software's state, at most
};

// The configuration has passed check(). `fault`: for tests.
std::unique_ptr<Simulation> make_simulation(Kind kind, const Config& config,
                                            Fault fault = Fault::None);

}  // namespace steward::sim
