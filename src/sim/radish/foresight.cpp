// What a coming access will look at (coherence/foresight.h). An access to a line that its core does
// not have needs room in the caches for the line, for its metadata and for the software's data; and
// what has to leave for that has records too.
#include <array>

#include "sim/radish/radish.h"

namespace steward::sim {

bool Radish::foresee(unsigned stage, Foreseen& f) {
  Hierarchy& h = *hierarchy_;
  const std::uint32_t context = running_[f.core];
  if (context == kNone) return false;
  const std::uint32_t& near = near_[near_place(f.core, f.number)];
  if (stage == 0) {
    h.prefetch_near(f.core, f.number);
    prefetch_line(&near);
    return true;
  }
  if (stage == 1) {
    f.known = h.prefetch_record_or_chain(f.core, f.number);
    if (f.known && near != kNone) h.copies().prefetch(near);
    return true;
  }

  const Address address = f.number << line_shift_;
  const std::array<std::uint64_t, 2> map_lines{software::map_line(f.number, 0),
                                               software::map_line(f.number, 1)};
  const std::array<std::uint64_t, 4> places{
      f.number, Hierarchy::metadata_place(f.number, context, 0), map_lines[0], map_lines[1]};
  if (stage == 2) {
    const Line* line = f.known ? h.known(f.core, f.number) : nullptr;
    if (line != nullptr && h.is_silent(f.core, *line, false)) {
      foresee_others(*line, near, f.write);
      return false;
    }
    if (!f.known) h.lines().prefetch_first(f.number);
    for (const std::uint64_t p : places) h.prefetch_set(p);
    for (const std::uint64_t n : map_lines) {
      h.prefetch_near(f.core, n);
      h.lines().prefetch_chain(n);
    }
    map_.prefetch_lookup(address);
    return true;
  }
  if (stage == 3) {
    for (const std::uint64_t p : places) h.prefetch_victims(f.core, p);
    for (const std::uint64_t n : map_lines) h.lines().prefetch_first(n);
    map_.prefetch_state(address, config_->line);
    if (const Line* line = h.lines().find(f.number)) {
      for (const std::uint32_t i : line->copies) h.copies().prefetch(i);
    }
    return true;
  }
  for (const std::uint64_t p : places) h.prefetch_behind_victim(p);
  return false;
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

// The core has the line, and most likely the permission too. A write looks at the others' metadata
// even so.
void Radish::foresee_others(const Line& line, std::uint32_t near, bool write) {
  if (line.copies.size() < 2) return;
  if (!write && near != kNone) {
    const Copy& copy = hierarchy_->copies()[near];
    if (copy.line == line.self && copy.may_read != 0) return;
  }
  for (const std::uint32_t i : line.copies) hierarchy_->copies().prefetch(i);
}

}  // namespace steward::sim
