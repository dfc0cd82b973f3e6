// What a coming access will look at (coherence/foresight.h). An access to a line that its core does
// not have needs room in the caches for the line, for its metadata and for the software's data; and
// what has to leave for that has records too.
#include <array>

#include "sim/radish/radish.h"

namespace steward::sim {

void Radish::foresee(Foresight& foresight) {
  Hierarchy& h = *hierarchy_;
  const auto metadata_place = [&](const Foreseen& f) {
    return Hierarchy::metadata_place(f.number, running_[f.core], 0);
  };
  for (unsigned k = 0; k < Foresight::kTogether; ++k) {
    const Foreseen& f = foresight.due(0, k);
    h.prefetch_near(f.core, f.number);
  }
  for (unsigned k = 0; k < Foresight::kTogether; ++k) {
    Foreseen& f = foresight.due(1, k);
    h.prefetch_record_or_chain(f);
    h.copies().prefetch(f.record != 0 ? h.near(f.core, f.number).copy : 0);
    h.prefetch_set(f.number);
    h.prefetch_set(metadata_place(f));
    map_.prefetch_lookup(f.number << line_shift_);
  }
  for (unsigned k = 0; k < Foresight::kTogether; ++k) {
    Foreseen& f = foresight.due(2, k);
    h.prefetch_record(f);
  }
  for (unsigned k = 0; k < Foresight::kTogether; ++k) {
    Foreseen& f = foresight.due(3, k);
    const Line& line = h.lines()[f.record];
    const bool is_it = line.number == f.number;
    prefetch_line(line.copies.begin());
    // Worth a branch: of some programs nearly all lines are at hand.
    if (is_it && h.is_silent(f.core, line, false)) continue;
    f.brings_data = !(is_it & line.in_l3);
    f.brings_metadata = !(is_it & (line.owners >> (running_[f.core] % 64) & 1));
    h.prefetch_victims(f.core, f.number, f.brings_data);
    h.prefetch_victims(f.core, metadata_place(f), f.brings_metadata);
    // What the caches do not know the software is asked.
    const bool known = is_it & (line.last_write_in_hardware >> f.byte & 1);
    const void* const history = map_.find(f.number << line_shift_);
    const char* const at = static_cast<const char*>(known || history == nullptr ? &line : history);
    for (unsigned b = 0; b < kHistoryBytes; b += 64) prefetch_line(at + b);
    prefetch_line(at + kHistoryBytes - 1);
  }
  for (unsigned k = 0; k < Foresight::kTogether; ++k) {
    const Foreseen& f = foresight.due(4, k);
    const CopyList& copies = h.lines()[f.record].copies;
    for (std::uint32_t i = 0; i < 4; ++i) {
      h.copies().prefetch_head(i < copies.size() ? copies[i] : 0);
    }
    if (!(f.brings_data | f.brings_metadata)) continue;
    h.prefetch_behind_victim(f.number, f.brings_data);
    h.prefetch_behind_victim(metadata_place(f), f.brings_metadata);
  }
}

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
      h.prefetch_victims(core, n, true);
    }
  }
}

// A copy will leave the caches.
void Radish::foresee_eviction(unsigned stage, std::uint32_t i) const {
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
  map_.prefetch_state(address, config_->line);
}

}  // namespace steward::sim
