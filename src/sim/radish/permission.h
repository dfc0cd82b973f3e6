// The first stage of a check (RADISH paper, Section 4.5 and Figure 6), which deals with most
// accesses: part of radish.h, so that a machine's loop has it in itself.
#pragma once

#include <algorithm>

#include "sim/radish/radish.h"

namespace steward::sim {

[[gnu::always_inline]] inline Radish::Outcome Radish::access(unsigned core, AccessKind kind,
                                                              Address address, std::uint64_t size,
                                                              unsigned handler) {
  Outcome out;
  Context& c = contexts_[running_[core]];
  if (c.thread->now != c.now || is_atomic(kind) ||
      !permitted(out, c, is_write(kind), address, size)) {
    access_checked(out, core, kind, address, size, handler);
  }
  return out;
}

// Most accesses, and all that is to be done for them: the core has the line, its metadata and the
// permission, so nothing is sent and nothing leaves a cache. False: not so, or not easily told, and
// nothing has changed.
[[gnu::always_inline]] inline bool Radish::permitted(Outcome& out, Context& c, bool write,
                                                     Address address, std::uint64_t size) {
  const auto first = static_cast<unsigned>(address & (line_size_ - 1));
  if (size > line_size_ - first || !use_permissions_) return false;
  const std::uint64_t number = address >> line_shift_;
  const Hierarchy::Near near = hierarchy_->near(c.core, number);
  Line* const line = hierarchy_->known(near, number);
  if (line == nullptr || !hierarchy_->is_silent(c.core, *line, write)) return false;
  const std::uint32_t i = near.copy;
  Copy& copy = hierarchy_->copies()[i];
  const std::uint32_t another = (copy.line ^ line->self) | (copy.context ^ c.number) |
                                (copy.schedule ^ c.schedule);
  const Bytes bytes = bytes_from(first, static_cast<unsigned>(size));
  const Bytes allowed = copy.resident & (write ? copy.may_write : copy.may_read);
  if (((bytes & ~allowed) | another) != 0) return false;
  unsigned half = 0;
  if (copy.compact) {
    if (((address | size) & 1) != 0) return false;  // inflates it
  } else {
    half = first >= half_size_ ? 1 : 0;
    if ((bytes & ~half_bytes(half)) != 0) return false;
  }
  const auto item =
      static_cast<unsigned>(std::min<std::uint64_t>(8, (address | size) & -(address | size)));
  if (!knows_granularity(copy, bytes, item)) {
    if ((bytes & (copy.narrow | copy.words | copy.doubles)) != 0) return false;
    first_granularity(copy, bytes, item);
  }

  const auto moved = hierarchy_->silent(c.core, *line, write);
  counts_->l1_misses += moved.l1_miss ? 1 : 0;
  out.cycles += std::max(moved.latency, hierarchy_->read_metadata(*line, i, half));

  const ByteClocks& clocks = write ? copy.writes : copy.reads;
  const Bytes valid = write ? copy.valid_writes : copy.valid_reads;
  const bool recorded = (bytes & ~valid) == 0 && clocks.surely(bytes, c.now.clock());
  if (recorded && (!write || (line->copies.size() == 1 && (copy.valid_reads & bytes) == 0))) {
    if (write) {
      written(*line, bytes);
      copy.may_read |= bytes;
    }
    return true;
  }
  if (!write) {
    set_reads(copy, c, bytes, c.now.clock());
    return true;
  }
  Piece p{&c, c.thread, i, bytes, item, write};
  record(*line, p, false);
  return true;
}

inline void Radish::set_reads(Copy& copy, Context& c, Bytes bytes, Clock clock) {
  if (const Bytes narrow = bytes & copy.narrow; narrow != 0) {
    uncount_clocks(c, copy.reads, narrow & copy.valid_reads);
    c.clocks.add(clock, static_cast<unsigned>(std::popcount(narrow)));
  }
  copy.reads.set(bytes, clock, copy.valid_reads & ~bytes);
  copy.valid_reads |= bytes;
  copy.newest = std::max(copy.newest, clock);
}

inline void Radish::set_writes(Copy& copy, Context& c, Bytes bytes, Clock clock) {
  if (const Bytes narrow = bytes & copy.narrow; narrow != 0) {
    uncount_clocks(c, copy.writes, narrow & copy.valid_writes);
    c.clocks.add(clock, static_cast<unsigned>(std::popcount(narrow)));
  }
  copy.writes.set(bytes, clock, copy.valid_writes & ~bytes);
  copy.valid_writes |= bytes;
  copy.newest = std::max(copy.newest, clock);
}

inline bool Radish::knows_granularity(const Copy& copy, Bytes bytes, unsigned item) const {
  if (!config_->type_safety) return true;
  if (item < 4) return (bytes & ~copy.narrow) == 0;
  if ((bytes & ~(copy.narrow | copy.words | copy.doubles)) != 0) return false;
  return item == 8 || (bytes & copy.doubles) == 0;
}

// Section 5.2: the first access to an item sets its size.
inline void Radish::first_granularity(Copy& copy, Bytes bytes, unsigned item) {
  (item == 8 ? copy.doubles : item == 4 ? copy.words : copy.narrow) |= bytes;
}

}  // namespace steward::sim
