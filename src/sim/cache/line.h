// What the caches hold: lines of data, and the metadata that RADISH keeps beside them (RADISH
// paper, Section 4.3). One record a data line, for as long as any cache has a part of it or of its
// metadata; so memory is bounded by the caches.
#pragma once

#include <cstdint>

#include "sim/cache/byte_clocks.h"
#include "sim/cache/copy_list.h"
#include "sim/cache/set_cache.h"
#include "sim/cache/slab.h"

namespace steward::sim {

inline constexpr unsigned kMaxCores = 64;
inline constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
inline constexpr std::int8_t kNoOwner = -1;

// One line of the host's cache: the simulator waits for its own memory more than for anything else.
struct alignas(64) Line {
  std::uint64_t number = kNoLine;  // address / line size
  std::uint32_t self = kNone;      // where this record is
  std::uint32_t next = kNone;      // of the same chain (cache/line_table.h)
  // Coherence (coherence/hierarchy.h).
  std::uint64_t sharers = 0;     // cores whose L2 has it
  std::int8_t owner = kNoOwner;  // the one that may write it without asking: Exclusive or Modified
  bool dirty = false;            // Modified
  bool in_l3 = false;
  std::uint8_t busy = 0;  // uses in progress: not to be dropped

  // In-hardware status (radish/status.h) and the metadata copies.
  CopyList copies;
  std::uint64_t owners = 0;  // bit c % 64: a copy of context c may be there, else there is none
  Bytes last_write_in_hardware = 0;
  Bytes all_reads_in_hardware = 0;
};
static_assert(sizeof(Line) == 64);

// The metadata of one data line that belongs to one thread on one core. What a look at another
// core's copy needs comes first, in one line of the host's cache.
struct alignas(64) Copy {
  std::uint32_t line = kNone;  // kNone: dropped
  std::uint32_t context = kNone;
  std::uint32_t schedule = 0;               // of the context, when the permissions were granted
  Clock newest = 0;                         // no clock below is above it
  Bytes valid_reads = 0, valid_writes = 0;  // where the clocks below mean something
  Bytes may_read = 0, may_write = 0;        // local permissions: READ, WRITE (which is both)
  std::uint8_t core = 0;
  std::uint8_t busy = 0;
  std::uint8_t in_l3 = 0;  // bit h: the half h
  bool compact = false;    // one line for all bytes, in the place of the first half
  std::uint32_t at = 0;    // its place in the context's list
  Bytes resident = 0;

  ByteClocks reads;
  ByteClocks writes;
  // Granularity learnt (type safety): bytes whose clocks have 6 bits, bytes of 4-byte and of 8-byte
  // items; none of them: not accessed yet.
  Bytes narrow = 0, words = 0, doubles = 0;
};
static_assert(sizeof(Copy) == 128);

constexpr Tag data_tag(std::uint32_t line) {
  return line << 2;
}
constexpr Tag expanded_tag(std::uint32_t copy, unsigned half) {
  return (copy << 2) + 1 + half;
}
constexpr Tag compact_tag(std::uint32_t copy) {
  return (copy << 2) + 3;
}
constexpr Tag tag_of(const Copy& copy, std::uint32_t i, unsigned half) {
  return copy.compact ? compact_tag(i) : expanded_tag(i, half);
}
constexpr bool is_data(Tag t) {
  return (t & 3) == 0;
}
constexpr bool is_compact(Tag t) {
  return (t & 3) == 3;
}
constexpr std::uint32_t record_of(Tag t) {
  return t >> 2;
}
constexpr unsigned half_of(Tag t) {
  return is_compact(t) ? 0 : (t & 3) - 1;
}

}  // namespace steward::sim
