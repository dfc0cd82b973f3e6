#include "sim/run/simulation.h"

#include "sim/run/machine.h"

namespace steward::sim {

std::unique_ptr<Simulation> make_simulation(Kind kind, const Config& config, Fault fault) {
  switch (kind) {
    case Kind::None:
      return std::make_unique<Machine<NoDetection>>(config, fault);
    case Kind::FastTrack:
      return std::make_unique<Machine<SoftwareFastTrack>>(config, fault);
    case Kind::Radish:
      break;
  }
  return std::make_unique<Machine<RadishDetection>>(config, fault);
}

}  // namespace steward::sim
