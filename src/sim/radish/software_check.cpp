// The software race check (RADISH paper, Section 4.6): hardware's clocks and the variable map's
// together, compared with the thread's full vector clock; then as much of the map as concerns this
// thread is imported into the metadata line.
#include <bit>
#include <cassert>

#include "sim/radish/radish.h"

namespace steward::sim {

namespace {

// How many granules have a part in `bytes`.
unsigned granules_of(Bytes bytes) {
  bytes |= bytes >> 4;
  bytes |= bytes >> 2;
  bytes |= bytes >> 1;
  constexpr Bytes kEighth = 0x0101'0101'0101'0101;
  return static_cast<unsigned>((bytes & kEighth) * kEighth >> 56);
}

}  // namespace

// `remote`: what the other cores hold.
bool Radish::software_check(Line& line, Piece& p, Bytes bytes, Remote remote) {
  if (!looks_ahead_) {
    foresee_reads(address_of(line));
    foresee_touches(line.number, 0);
  }
  const bool flushed = flush_descheduled(line);
  Copy& self = hierarchy_->copies()[p.copy];
  Context& c = *p.context;
  const HappensBefore::Thread& t = *p.thread;
  const Address base = address_of(line);

  // One metadata line: all the bytes, or those of the half.
  Bytes scope = bytes;
  if (config_->import_line) {
    const auto half = static_cast<unsigned>(std::countr_zero(bytes)) / half_size_;
    scope = self.compact ? all_bytes_ : half_bytes(half) & self.resident;
    scope |= bytes;
  }
  const auto first = static_cast<unsigned>(std::countr_zero(scope));
  const auto end = 64 - static_cast<unsigned>(std::countl_zero(scope));

  Bytes pinned = 0, late_writes = 0, late_reads = 0;
  Bytes software_write = 0;  // software alone knows the last write
  Bytes software_reads = 0;  // software alone knows some last read
  unsigned runs = 0, entries = 0;
  // What software knows of `run`: `times` pieces of `count` bytes each that have it in common.
  const auto look_at = [&](const History& h, Bytes run, unsigned count, unsigned times) {
    runs += times;
    if (h.pinned()) {
      pinned |= run;
      return;
    }
    // Items of which sizes: what was stored together.
    const bool narrow_run =
        !config_->type_safety || count < 4 || (std::countr_zero(run) & 3) != 0;
    const auto fits = [&](Bytes where, Clock clock) {
      const Bytes known = self.narrow | self.words | self.doubles;
      const Bytes fresh = where & ~known;
      if (narrow_run && fresh != 0 && self.compact) return false;
      const bool narrow =
          narrow_run ? fresh != 0 || (where & self.narrow) != 0 : (where & self.narrow) != 0;
      if (!c.clocks.fits(clock, narrow, count) || !c.clocks.fits(clock, false, 0)) return false;
      if (fresh != 0) (narrow ? self.narrow : self.words) |= fresh;
      return true;
    };
    const Bytes need_write = run & scope & ~line.last_write_in_hardware;
    if (need_write != 0 && !h.write().is_minimal()) {
      if (!t.covers(h.write())) late_writes |= need_write;
      if (h.write().slot() == c.slot && fits(need_write, h.write().clock())) {
        set_writes(self, c, need_write, h.write().clock());
      } else {
        software_write |= need_write;
      }
    }
    Bytes need_reads = run & scope & ~line.all_reads_in_hardware;
    if (fault_ == Fault::ImportsDeadReads) need_reads = run & scope;
    if (need_reads == 0) return;
    const unsigned needed = granules_of(need_reads);
    h.for_each_read([&](Epoch e) {
      entries += needed;
      if (!t.covers(e)) late_reads |= need_reads;
      if (e.slot() == c.slot) {
        // Its own newer read may be in hardware already.
        const Bytes missing = need_reads & ~self.valid_reads;
        if (missing == 0) return;
        if (fits(missing, e.clock())) {
          set_reads(self, c, missing, e.clock());
        } else {
          software_reads |= missing;
        }
        return;
      }
      if ((need_reads & ~software_reads) == 0) return;
      Bytes newer = 0;  // the same thread read it again, and that is in hardware
      for (const std::uint32_t i : line.copies) {
        const Copy& other = hierarchy_->copies()[i];
        if (contexts_[other.context].slot == e.slot()) newer |= other.valid_reads;
      }
      software_reads |= need_reads & ~newer;
    });
  };

  // Whole granules are mostly like the ones before them, and then looked at together. Clocks that
  // are not narrow are no entries of the table, so it is all the same in how many pieces they come.
  const bool together = config_->type_safety && (self.narrow & scope) == 0;
  const History* like = nullptr;
  Bytes those = 0;
  unsigned times = 0;
  const auto look_at_those = [&] {
    if (like != nullptr) look_at(*like, those, kGranule, times);
    like = nullptr;
  };
  map_.existing_granules(
      base + first, end - first,
      [&](Granule<History>& granule, std::uint64_t g, unsigned from, unsigned to) {
        const auto at = [&](unsigned byte) {
          return static_cast<unsigned>(g * kGranule + byte - base);
        };
        const History* whole = together && to - from == kGranule ? granule.whole() : nullptr;
        if (whole != nullptr) {
          if (whole->empty()) {
            ++runs;
            return;
          }
          if (like == nullptr || !like->same(*whole)) {
            look_at_those();
            like = whole;
            those = 0;
            times = 0;
          }
          those |= bytes_from(at(0), kGranule);
          ++times;
          return;
        }
        granule.visit(*pool_, from, to, [&](const History& h, unsigned b, unsigned e) {
          look_at(h, bytes_from(at(b), e - b), e - b, 1);
        });
        if (granule.empty()) granule.reset(*pool_);
      });
  look_at_those();

  if (!looks_ahead_) foresee_touches(line.number, 1);
  if (flushed) remote = look_around(line, self, t, scope);
  late_writes |= remote.late_writes;
  late_reads |= remote.late_reads;
  const Bytes race = bytes & ~pinned & (late_writes | (p.write ? late_reads : 0));

  const Bytes imported = scope & ~pinned;
  line.last_write_in_hardware |= imported & ~software_write;
  line.all_reads_in_hardware |= imported & ~software_reads;
  self.may_read = (self.may_read & ~imported) | (imported & ~late_writes);
  self.may_write = (self.may_write & ~imported) | (imported & ~late_writes & ~late_reads);

  cost_of_check(line.number, scope, static_cast<unsigned>(std::popcount(bytes) + 7) / 8, entries);
  work_.instructions(runs);

  if (race != 0) pin(line, race);
  bool any = race != 0;
  const AccessKind kind = p.write ? AccessKind::Write : AccessKind::Read;
  const Bytes in_software = (pinned & bytes) | race;
  for (Bytes b = in_software; b != 0; b &= b - 1) {
    const Address at = base + static_cast<unsigned>(std::countr_zero(b));
    any |= pinned_access(kind, at, 1, t);
  }
  p.bytes &= ~in_software;
  return any;
}

// Lazy flushing: what threads that do not run left in the caches, as far as this line is concerned.
// Whether there was any.
bool Radish::flush_descheduled(Line& line) {
  bool any = false;
  for (std::uint32_t k = 0; k < line.copies.size();) {
    const std::uint32_t i = line.copies[k];
    const Copy& copy = hierarchy_->copies()[i];
    if (contexts_[copy.context].on_core) {
      ++k;
      continue;
    }
    for (unsigned half = 0; half < 2; ++half) {
      if ((copy.in_l3 >> half & 1) == 0) continue;
      work_.latency(hierarchy_->metadata_latency(i, half));
      ++counts_->flushed_lines;
    }
    evict_from_caches(i);  // and out of the list
    any = true;
  }
  return any;
}

// These bytes are software's from now on: their history leaves hardware.
void Radish::pin(Line& line, Bytes bytes) {
  const Address base = address_of(line);
  for (Bytes left = bytes; left != 0; left &= left - 1) {
    const auto b = static_cast<unsigned>(std::countr_zero(left));
    const Bytes one = Bytes{1} << b;
    map_.visit(base + b, 1, [&](History& h, Address, unsigned) {
      if (h.pinned()) return;
      const Epoch write = (line.last_write_in_hardware & one) == 0 ? h.write() : Epoch{};
      std::vector<Epoch> reads;
      if ((line.all_reads_in_hardware & one) == 0) {
        h.for_each_read([&](Epoch e) { reads.push_back(e); });
      }
      History::Pinned& all = h.pin(*pool_);
      auto& read_marks = all.marks[static_cast<unsigned>(AccessKind::Read)];
      auto& write_marks = all.marks[static_cast<unsigned>(AccessKind::Write)];
      if (!write.is_minimal()) write_marks.set(write.slot(), write.clock());
      for (const Epoch e : reads) read_marks.set(e.slot(), e.clock());
      for (const std::uint32_t i : line.copies) {
        const Copy& copy = hierarchy_->copies()[i];
        const Slot slot = contexts_[copy.context].slot;
        // Newer than what software had of the same thread.
        if ((copy.valid_reads & one) != 0) {
          read_marks.set(slot, std::max(copy.reads[b], read_marks[slot]));
        }
        if ((copy.valid_writes & one) != 0) {
          write_marks.set(slot, std::max(copy.writes[b], write_marks[slot]));
        }
      }
    });
  }
  for (const std::uint32_t i : line.copies) {
    Copy& copy = hierarchy_->copies()[i];
    drop_reads(copy, bytes);
    drop_writes(copy, bytes);
    copy.may_read &= ~bytes;
    copy.may_write &= ~bytes;
  }
  forgotten(line, bytes);
}

// GENERIC's check and update, on a variable that is in software only.
bool Radish::pinned_access(AccessKind kind, Address address, std::uint64_t size,
                           const HappensBefore::Thread& t) {
  bool race = false;
  map_.visit(address, size, [&](History& h, Address, unsigned) {
    assert(h.pinned());
    History::Pinned& all = h.pin(*pool_);
    for (unsigned k = 0; k < 4; ++k) {
      if (!conflict(static_cast<AccessKind>(k), kind)) continue;
      std::uint32_t slot = 0;
      for (const Clock clock : all.marks[k]) {
        race = race || !t.covers(Epoch{Slot{slot}, clock});
        ++slot;
      }
    }
    all.marks[static_cast<unsigned>(kind)].set(t.epoch().slot(), t.epoch().clock());
  });
  return race;
}

void Radish::cost_of_check(std::uint64_t number, Bytes scope, unsigned variables,
                           unsigned entries) {
  work_.instructions(config_->software_entry + variables * config_->check_instructions +
                     entries * config_->clock_instructions);
  work_.touch(software::directory_line(number), false);
  if ((scope & half_bytes(0)) != 0) work_.touch_rare(software::map_line(number, 0), true);
  if ((scope & half_bytes(1)) != 0) work_.touch_rare(software::map_line(number, 1), true);
  if (entries > 1) work_.touch_rare(software::read_map_line(number), false);
}

}  // namespace steward::sim
