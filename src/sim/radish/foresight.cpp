// Asking the host's memory beforehand for records that are going to be looked at, where that is
// known: the simulator waits for its own memory, and each record names the next one. Hints and
// nothing more. The trace, too, tells what comes, but to follow that beyond the first look costs as
// much as it gains.
#include "sim/radish/radish.h"

namespace steward::sim {

// A check will touch the software's lines at its end: what they need, in two steps.
void Radish::foresee_touches(std::uint64_t number, unsigned core, unsigned step) const {
  const Hierarchy& h = *hierarchy_;
  for (unsigned part = 0; part < 2; ++part) {
    const std::uint64_t n = software::map_line(number, part);
    if (step == 0) {
      h.prefetch_near(core, n);
      h.prefetch_set(n);
      h.lines().prefetch_chain(n);
    } else {
      h.lines().prefetch_first(n);
      h.prefetch_victims(core, n);
    }
  }
}

// A copy will leave the caches.
void Radish::foresee_eviction(unsigned stage, std::uint32_t i) {
  const Hierarchy& h = *hierarchy_;
  if (stage == 0) {
    h.copies().prefetch(i);
    return;
  }
  const Copy& copy = h.copies()[i];
  if (stage == 1) {
    h.lines().prefetch(copy.line);
    return;
  }
  const Line& line = h.lines()[copy.line];
  const Address address = address_of(line);
  if (stage == 2) {
    h.prefetch_set(Hierarchy::metadata_place(line.number, copy.context, 0));
    map_.prefetch_lookup(address);
    for (const std::uint32_t other : line.copies) h.copies().prefetch_head(other);
    return;
  }
  if (stage == 3) {
    map_.prefetch_state(address, config_->line);
    return;
  }
  foresee_reads(address);
}

// The software's histories of a line will be looked at: the reads that they name.
void Radish::foresee_reads(Address address) {
  const Granule<History>* const granules = map_.find(address);
  if (granules == nullptr) return;
  for (unsigned g = 0; g < line_size_ / kGranule; ++g) {
    if (const History* whole = granules[g].whole()) whole->prefetch_reads();
  }
}

}  // namespace steward::sim
