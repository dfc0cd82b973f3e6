// The three machines that one trace is run on: without detection, with FastTrack in software, with
// RADISH. Each answers the same questions of run/machine.h.
#pragma once

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "core/generic/happens_before.h"
#include "core/memory/byte_map.h"
#include "sim/radish/radish.h"

namespace steward::sim {

// Cycles of an access, and where they are spent.
using Cost = Radish::Outcome;

// Moves data; the cycles that takes.
inline std::uint64_t move_data(Hierarchy& h, Counts& counts, unsigned core, bool write,
                               Address address, std::uint64_t size, unsigned line_shift) {
  std::uint64_t cycles = 0;
  const Address end = address + size;
  for (std::uint64_t n = address >> line_shift; n << line_shift < end; ++n) {
    Line& line = h.hold(core, n);
    const auto moved = write ? h.write(core, line) : h.read(core, line);
    counts.l1_misses += moved.l1_miss ? 1 : 0;
    cycles += moved.latency;
    h.release(line);
  }
  return cycles;
}

class NoDetection {
 public:
  static constexpr bool kDetects = false;

  NoDetection(const Config& config, Hierarchy& h, Pool&, HappensBefore&, Counts& counts, Fault)
      : hierarchy_(&h),
        counts_(&counts),
        line_shift_(static_cast<unsigned>(std::countr_zero(config.line))) {}

  std::uint64_t schedule(unsigned, ThreadId) { return 0; }
  std::uint64_t unschedule(unsigned) { return 0; }
  void ended(unsigned) {}
  Cost access(unsigned core, ThreadId, AccessKind kind, Address a, std::uint64_t size, unsigned) {
    return {untracked(core, is_write(kind), a, size), 0, Stage::Permission, false};
  }
  std::uint64_t untracked(unsigned core, bool write, Address a, std::uint64_t size) {
    return move_data(*hierarchy_, *counts_, core, write, a, size, line_shift_);
  }
  std::uint64_t clear(unsigned, Address, std::uint64_t) { return 0; }
  std::uint64_t copy(unsigned, Address, Address, std::uint64_t) { return 0; }
  bool must_handle_evictions() const { return false; }
  std::uint64_t handle_evictions(unsigned) { return 0; }
  void looks_ahead(bool) {}
  void foresee(unsigned, bool, Address, std::uint64_t) {}

 private:
  Hierarchy* hierarchy_;
  Counts* counts_;
  unsigned line_shift_;
};

// Every access is instrumented: the algorithm really runs, its rule says which instructions, and
// its cells and clocks are touched through the caches.
class SoftwareFastTrack {
 public:
  static constexpr bool kDetects = true;

  SoftwareFastTrack(const Config& config, Hierarchy& h, Pool& pool, HappensBefore& order,
                    Counts& counts, Fault)
      : config_(&config),
        hierarchy_(&h),
        pool_(&pool),
        order_(&order),
        counts_(&counts),
        line_shift_(static_cast<unsigned>(std::countr_zero(config.line))),
        cells_(pool) {}

  std::uint64_t schedule(unsigned, ThreadId) { return 0; }
  std::uint64_t unschedule(unsigned) { return 0; }
  void ended(unsigned) {}
  Cost access(unsigned core, ThreadId thread, AccessKind kind, Address address, std::uint64_t size,
              unsigned);
  std::uint64_t untracked(unsigned core, bool write, Address a, std::uint64_t size) {
    return move_data(*hierarchy_, *counts_, core, write, a, size, line_shift_);
  }
  std::uint64_t clear(unsigned core, Address a, std::uint64_t size);
  std::uint64_t copy(unsigned core, Address from, Address to, std::uint64_t size);
  bool must_handle_evictions() const { return false; }
  std::uint64_t handle_evictions(unsigned) { return 0; }
  void looks_ahead(bool) {}
  void foresee(unsigned, bool, Address, std::uint64_t) {}

 private:
  const Config* config_;
  Hierarchy* hierarchy_;
  Pool* pool_;
  HappensBefore* order_;
  Counts* counts_;
  unsigned line_shift_;
  ByteMap<fasttrack::Cell, PagedDirectory> cells_;
  SoftwareWork work_;
};

class RadishDetection {
 public:
  static constexpr bool kDetects = true;

  RadishDetection(const Config& config, Hierarchy& h, Pool& pool, HappensBefore& order,
                  Counts& counts, Fault fault)
      : radish_(config, h, pool, order, counts, fault) {}

  std::uint64_t schedule(unsigned core, ThreadId t) { return radish_.schedule(core, t); }
  std::uint64_t unschedule(unsigned core) { return radish_.unschedule(core); }
  void ended(unsigned core) { radish_.ended(core); }
  Cost access(unsigned core, ThreadId, AccessKind kind, Address a, std::uint64_t size,
              unsigned handler) {
    return radish_.access(core, kind, a, size, handler);
  }
  std::uint64_t untracked(unsigned core, bool write, Address a, std::uint64_t size) {
    return radish_.access_untracked(core, write, a, size);
  }
  std::uint64_t clear(unsigned core, Address a, std::uint64_t size) {
    return radish_.clear(core, a, size);
  }
  std::uint64_t copy(unsigned core, Address from, Address to, std::uint64_t size) {
    return radish_.copy(core, from, to, size);
  }
  bool must_handle_evictions() const { return radish_.must_handle_evictions(); }
  std::uint64_t handle_evictions(unsigned core) { return radish_.handle_evictions(core); }
  void looks_ahead(bool yes) { radish_.looks_ahead(yes); }
  void foresee(unsigned core, bool write, Address a, std::uint64_t size) {
    radish_.foresee(core, write, a, size);
  }

  Radish& radish() { return radish_; }

 private:
  Radish radish_;
};

}  // namespace steward::sim
