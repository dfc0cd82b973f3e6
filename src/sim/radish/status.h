// In-hardware status: how much of a byte's history the caches hold (RADISH paper, Section 4.4 and
// Figure 5). Two facts, kept for all bytes of a line as two masks: the last write is in hardware
// (or there was none), all last reads since it are.
#pragma once

#include "sim/cache/line.h"

namespace steward::sim {

enum class InHardware : std::uint8_t { InSoftware, LastWrite, AllLastReads, Everything };

inline InHardware status(const Line& l, unsigned byte) {
  const auto write = static_cast<unsigned>(l.last_write_in_hardware >> byte & 1);
  const auto reads = static_cast<unsigned>(l.all_reads_in_hardware >> byte & 1);
  return static_cast<InHardware>(write | reads << 1);
}

constexpr const char* name(InHardware s) {
  constexpr const char* kNames[] = {"InSoftware", "LastWrite", "AllLastReads", "Everything"};
  return kNames[static_cast<unsigned>(s)];
}

// Figure 5. A write makes all that came before it irrelevant; a valid clock that leaves takes its
// part of the status along.
inline void written(Line& l, Bytes b) {
  l.last_write_in_hardware |= b;
  l.all_reads_in_hardware |= b;
}
inline void write_evicted(Line& l, Bytes b) {
  l.last_write_in_hardware &= ~b;
}
inline void read_evicted(Line& l, Bytes b) {
  l.all_reads_in_hardware &= ~b;
}
// No cache has metadata of these bytes any more, and so nobody their status.
inline void forgotten(Line& l, Bytes b) {
  l.last_write_in_hardware &= ~b;
  l.all_reads_in_hardware &= ~b;
}

}  // namespace steward::sim
