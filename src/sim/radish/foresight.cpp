// Asking the host's memory beforehand for records that are going to be looked at, where that is
// known: the simulator waits for its own memory, and each record names the next one. Hints and
// nothing more.
#include <algorithm>

#include "sim/radish/radish.h"

namespace steward::sim {

// A check will touch the software's lines at its end: what they need, in two steps.
void Radish::foresee_touches(std::uint64_t number, unsigned step) const {
  const Hierarchy& h = *hierarchy_;
  const auto foresee = [&](std::uint64_t n) {
    if (step == 0) {
      h.prefetch_set(n);
      h.lines().prefetch_chain(n);
    } else {
      h.lines().prefetch_first(n);
    }
  };
  foresee(software::map_line(number, 0));
  foresee(software::map_line(number, 1));
  foresee(software::read_map_line(number));
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

// Whether hardware will not be able to tell that an access is allowed: as it is now.
bool Radish::will_ask_software(const Coming& c) const {
  const Hierarchy& h = *hierarchy_;
  const Line* const line = h.lines().find(c.number);
  if (line == nullptr || (line->owners >> (c.context % 64) & 1) == 0) return true;
  for (const std::uint32_t i : line->copies) {
    const Copy& copy = h.copies()[i];
    if (copy.context != c.context) continue;
    const Bytes told = c.write ? line->last_write_in_hardware & line->all_reads_in_hardware
                               : line->last_write_in_hardware;
    return (c.bytes & ~((c.write ? copy.may_write : copy.may_read) | told)) != 0;
  }
  return true;
}

// What an access looks at, each record named by the one before. Most accesses look at their line
// and its copies only; those that ask software look at several times as much.
void Radish::foresee(unsigned core, bool write, Address address, std::uint64_t size) {
  Hierarchy& h = *hierarchy_;
  const std::uint64_t number = address >> line_shift_;
  const auto first = static_cast<unsigned>(address & (line_size_ - 1));
  const Bytes bytes = bytes_from(first, static_cast<unsigned>(std::min<Address>(size, line_size_)));
  const std::uint32_t context = running_[core] == kNone ? 0 : running_[core];
  if (!coming_.add({number, bytes, context, static_cast<std::uint8_t>(core), write, false})) return;

  h.prefetch_place(core, number);
  h.prefetch_set(Hierarchy::metadata_place(number, context, 0));

  h.lines().prefetch_first(coming_.at(1).number);

  for (const std::uint32_t i : h.lines().first(coming_.at(2).number).copies.first_two()) {
    h.copies().prefetch(i);
  }

  Coming& c = coming_.at(3);
  c.slow = will_ask_software(c) && !coming_.foreseen(c);
  if (c.slow) {
    map_.prefetch_lookup(c.number << line_shift_);
    foresee_touches(c.number, 0);
    h.prefetch_victim(Hierarchy::metadata_place(c.number, c.context, 0));
  }
  if (const Coming& d = coming_.at(4); d.slow) {
    map_.prefetch_state(d.number << line_shift_, config_->line);
    foresee_touches(d.number, 1);
  }
  if (const Coming& d = coming_.at(5); d.slow) foresee_reads(d.number << line_shift_);
}

}  // namespace steward::sim
