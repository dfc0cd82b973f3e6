// RADISH (ISCA 2012 paper, Sections 4 and 5): race detection in the cache hierarchy, with software
// behind it. Hardware holds, in metadata lines, each running thread's last read and write of a
// byte; software holds what does not fit.
//
// What holds for every byte between two accesses, and makes verdicts exact:
//   - the last write is in hardware iff the status says so, else it is in the variable map;
//   - the last reads are all in hardware if the status says so, else the map has the others;
//   - a thread with READ permission, on a core whose data line is valid, happens after the last
//     write; with WRITE permission and a line it may write, after the last reads too.
//
// Deviations, and docs/simulate.md says more:
//   - The paper stops at the first race. Here a byte that raced goes to software for good and is
//     checked there as GENERIC does, so that every later verdict is right too. The same serves
//     bytes accessed atomically, which the paper does not have.
//   - A silent write (the line is already Modified) clears other cores' older clocks at once. Real
//     hardware can do so with the next message about the line: nobody can look before.
//   - The eviction buffer decides when its handler's cost is paid. The map is brought up to date at
//     once, as a check that searched the buffer first would find it.
#pragma once

#include <vector>

#include "core/generic/happens_before.h"
#include "core/memory/byte_map.h"
#include "event/race.h"
#include "sim/counts.h"
#include "sim/radish/clock_table.h"
#include "sim/radish/coming.h"
#include "sim/radish/fault.h"
#include "sim/radish/history.h"
#include "sim/radish/status.h"
#include "sim/software_work.h"

namespace steward::sim {

// What dealt with an access (Figure 6): each is dearer than the one before.
enum class Stage : std::uint8_t { Permission, Hardware, Software };

class Radish final : public MetadataOwner {
 public:
  struct Outcome {
    std::uint64_t cycles = 0;    // of the core that accesses
    std::uint64_t software = 0;  // of the core that runs the handlers; the same one, unless spare
    Stage stage = Stage::Permission;
    bool race = false;
  };

  Radish(const Config& config, Hierarchy& hierarchy, Pool& pool, HappensBefore& order,
         Counts& counts, Fault fault = Fault::None);

  // The core runs this thread from now on, or none. Cycles of flushing what the last one left.
  std::uint64_t schedule(unsigned core, ThreadId thread);
  std::uint64_t unschedule(unsigned core);
  // The core's thread is over. What it left stays until another thread comes.
  void ended(unsigned core);

  // `handler`: the core that runs software for it.
  Outcome access(unsigned core, AccessKind kind, Address address, std::uint64_t size,
                 unsigned handler);
  // An access that is not checked still moves data, and data carries news.
  std::uint64_t access_untracked(unsigned core, bool write, Address address, std::uint64_t size);

  // LARD (LARD paper, Section 4.2): cycles.
  std::uint64_t clear(unsigned core, Address address, std::uint64_t size);
  std::uint64_t copy(unsigned core, Address from, Address to, std::uint64_t size);

  // Whether the buffer of evicted lines is full; if so, the handler runs on a core: cycles.
  bool must_handle_evictions() const {
    return eviction_buffer_.size() >= config_->eviction_buffer;
  }
  std::uint64_t handle_evictions(unsigned core);

  void evicted(std::uint32_t copy, unsigned half) override;

  // Hints, for the host's memory (radish/foresight.cpp): an access will come, some time after this
  // is said of it; whether it will be said of all accesses from now on.
  void foresee(unsigned core, bool write, Address address, std::uint64_t size);
  void looks_ahead(bool yes) { looks_ahead_ = yes; }

  // For tests that look inside: Table 1's columns for one byte.
  struct View {
    char permission = '-';  // N, R, W; -: no metadata
    Clock read = 0, write = 0;
    InHardware status = InHardware::InSoftware;
  };
  View view(unsigned core, Address address);
  std::vector<Clock> software_reads(Address address, unsigned threads);
  std::vector<Clock> software_writes(Address address, unsigned threads);
  void set_software(Address address, std::uint64_t size, Epoch read, Epoch write);
  // Evicts as the last-level cache would.
  void force_eviction(unsigned core, Address address);

 private:
  // A thread on a core: its metadata region and its clock coding.
  struct Context {
    explicit Context(const Config& c) : clocks(c) {}
    unsigned core = 0;
    std::uint32_t number = 0;
    Slot slot{};
    bool on_core = false;
    const HappensBefore::Thread* thread = nullptr;  // null: it is not on the core, or has ended
    // Its copies, the latest last; kNone: one that was dropped. Numbers and not a chain through the
    // copies, so that one that comes or goes touches no other.
    std::vector<std::uint32_t> copies;
    std::uint32_t live = 0;                         // how many of them are copies
    std::uint32_t schedule = 0;                     // how often it was put on its core
    Epoch now;                                      // the time prepared for
    ClockTable clocks;
  };

  // What the other cores hold of some bytes, seen from a thread's time.
  struct Remote {
    Bytes late_reads = 0, late_writes = 0;        // not before it
    Bytes foreign_reads = 0, foreign_writes = 0;  // of threads that do not run: not comparable
    Bytes past_reads = 0;                         // before it
  };

  struct Piece {  // of an access: bytes under one metadata line
    Context* context;
    const HappensBefore::Thread* thread;
    std::uint32_t copy = kNone;
    Bytes bytes = 0;
    unsigned item = 1;  // size of the items that the access consists of
    bool write = false;
  };

  // context.cpp
  Context& context_of(unsigned core, ThreadId thread);
  template <class F>
  void evict_all(Context& c, F before_each);
  std::uint64_t flush(Context& c);
  void prepare_clock(Context& c, Outcome& out);

  // metadata.cpp
  std::uint32_t find_copy(const Line& line, const Context& c);
  std::uint32_t search_copy(const Line& line, const Context& c) const;
  std::uint32_t make_copy(Line& line, Context& c, bool compact);
  void drop_if_empty(std::uint32_t i);
  void close_gaps(Context& c);
  std::uint64_t ensure_metadata(Line& line, Piece& p);
  std::uint64_t fill(Line& line, Piece& p, unsigned half);
  void inflate(Copy& copy, std::uint32_t i);
  bool knows_granularity(const Copy& copy, Bytes bytes, unsigned item) const;
  static void first_granularity(Copy& copy, Bytes bytes, unsigned item);
  void learn_granularity(Copy& copy, Context& c, const Piece& p);
  void narrow_down(Copy& copy, Context& c, Bytes items);
  void spill(Copy& copy, Bytes bytes);
  bool all_happen_after(const Line& line, const Copy& copy) const;
  struct Stored;
  void store_eights(const Copy& copy, Address base, Slot slot, Bytes reads, Bytes writes,
                    Bytes dead);
  void store_runs(const Copy& copy, Address base, Slot slot, Bytes reads, Bytes writes, Bytes dead);
  void evict(std::uint32_t i, Bytes bytes);
  void evict_from_caches(std::uint32_t i);
  void set_reads(Copy& copy, Context& c, Bytes bytes, Clock clock);
  void set_writes(Copy& copy, Context& c, Bytes bytes, Clock clock);
  void drop_reads(Copy& copy, Bytes bytes);
  void drop_writes(Copy& copy, Bytes bytes);
  void uncount_clocks(Context& c, const ByteClocks& clocks, Bytes bytes);

  // access.cpp
  bool permitted(Outcome& out, Context& c, bool write, Address address, std::uint64_t size);
  void access_checked(Outcome& out, unsigned core, AccessKind kind, Address address,
                      std::uint64_t size, unsigned handler);
  void access_piece(Outcome& out, unsigned core, AccessKind kind, std::uint64_t number, Bytes bytes,
                    unsigned item);
  Remote look_around(const Line& line, const Copy& self, const HappensBefore::Thread& t,
                     Bytes bytes) const {
    return line.copies.size() == 1 ? Remote{} : look_at_others(line, self, t, bytes);
  }
  Remote look_at_others(const Line& line, const Copy& self, const HappensBefore::Thread& t,
                        Bytes bytes) const;
  void downgrade(const Line& line, Copy& self, const HappensBefore::Thread& t);
  void grant(const Line& line, Copy& self, const Remote& remote, Bytes bytes) const;
  void record(Line& line, Piece& p, bool told_others);

  // software_check.cpp
  bool software_check(Line& line, Piece& p, Bytes bytes, Remote remote);
  bool flush_descheduled(Line& line);
  bool pinned_access(AccessKind kind, Address address, std::uint64_t size,
                     const HappensBefore::Thread& t);
  void pin(Line& line, Bytes bytes);
  void cost_of_check(std::uint64_t number, Bytes scope, unsigned variables, unsigned entries);

  // foresight.cpp
  static constexpr unsigned kEvictionStages = 5;
  bool will_ask_software(const Coming& c) const;
  void foresee_touches(std::uint64_t number, unsigned step) const;
  void foresee_eviction(unsigned stage, std::uint32_t i);
  void foresee_reads(Address address);

  // lard.cpp
  void clear_hardware(Line& line, Bytes bytes);
  template <class F>
  void for_each_cached_line(Address address, std::uint64_t size, F f);

  Bytes last_write_known(const Line& l) const { return use_status_ ? l.last_write_in_hardware : 0; }
  Bytes all_reads_known(const Line& l) const { return use_status_ ? l.all_reads_in_hardware : 0; }
  Bytes half_bytes(unsigned half) const { return bytes_from(half * half_size_, half_size_); }
  Address address_of(const Line& l) const { return l.number << line_shift_; }

  const Config* config_;
  Hierarchy* hierarchy_;
  Pool* pool_;
  HappensBefore* order_;
  Counts* counts_;
  Fault fault_;

  bool use_permissions_;
  bool use_status_;
  unsigned line_shift_;
  unsigned line_size_;
  unsigned half_size_;
  Bytes all_bytes_;

  std::vector<Context> contexts_;
  std::vector<std::uint32_t> running_;  // core -> context, kNone
  std::vector<ThreadId> threads_;       // core -> thread
  ByteMap<History, PagedDirectory> map_;
  SoftwareWork work_;
  std::vector<std::uint64_t> eviction_buffer_;  // numbers of the data lines
  ComingAccesses coming_;
  bool looks_ahead_ = false;
};

}  // namespace steward::sim

#include "sim/radish/permission.h"
