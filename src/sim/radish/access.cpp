// The three stages of a check (RADISH paper, Section 4.5 and Figure 6).
#include <algorithm>
#include <bit>

#include "sim/radish/radish.h"

namespace steward::sim {

// What local permissions do not deal with, as far as that is easily told.
void Radish::access_checked(Outcome& out, unsigned core, AccessKind kind, Address address,
                            std::uint64_t size, unsigned handler) {
  Context* c = &contexts_[running_[core]];
  if (c->thread->now != c->now) {
    if (c->thread->now.slot() != c->slot) {  // its clock ran out, and it goes on under another name
      out.cycles += schedule(core, threads_[core]);
      c = &contexts_[running_[core]];
    }
    prepare_clock(*c, out);
    if (!is_atomic(kind) && permitted(out, *c, is_write(kind), address, size)) return;
  }

  // The size of the items that the access consists of, as its place and size tell.
  const auto item =
      static_cast<unsigned>(std::min<std::uint64_t>(8, (address | size) & -(address | size)));
  for (std::uint64_t left = size; left != 0;) {
    const auto first = static_cast<unsigned>(address & (config_->line - 1));
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(left, config_->line - first));
    access_piece(out, core, kind, address >> line_shift_, bytes_from(first, count), item);
    address += count;
    left -= count;
  }
  if (!work_.empty()) out.software += work_.run(*hierarchy_, handler);
}

std::uint64_t Radish::access_untracked(unsigned core, bool write, Address address,
                                       std::uint64_t size) {
  std::uint64_t cycles = 0;
  const Address end = address + size;
  for (std::uint64_t n = address >> line_shift_; n << line_shift_ < end; ++n) {
    Line& line = hierarchy_->hold(core, n);
    const auto moved = write ? hierarchy_->write(core, line) : hierarchy_->read(core, line);
    cycles += moved.latency;
    counts_->l1_misses += moved.l1_miss ? 1 : 0;
    if (moved.coherence && running_[core] != kNone && contexts_[running_[core]].thread != nullptr) {
      const Context& c = contexts_[running_[core]];
      if (const std::uint32_t i = find_copy(line, c); i != kNone) {
        downgrade(line, hierarchy_->copies()[i], *c.thread);
      }
    }
    hierarchy_->release(line);
  }
  return cycles;
}

void Radish::access_piece(Outcome& out, unsigned core, AccessKind kind, std::uint64_t number,
                          Bytes bytes, unsigned item) {
  Context& c = contexts_[running_[core]];
  Line& line = hierarchy_->hold(core, number);
  Piece p{&c, c.thread, kNone, bytes, item, is_write(kind)};
  for (const std::uint32_t i : line.copies.first_two()) hierarchy_->copies().prefetch_head(i);
  const auto moved = p.write ? hierarchy_->write(core, line) : hierarchy_->read(core, line);
  counts_->l1_misses += moved.l1_miss ? 1 : 0;
  std::uint64_t latency = moved.latency;

  p.copy = find_copy(line, c);
  if (moved.coherence && p.copy != kNone) {
    downgrade(line, hierarchy_->copies()[p.copy], *p.thread);
  }

  if (is_atomic(kind)) {
    pin(line, bytes);
    const auto first = static_cast<unsigned>(std::countr_zero(bytes));
    const auto count = static_cast<unsigned>(std::popcount(bytes));
    out.race |= pinned_access(kind, address_of(line) + first, count, *p.thread);
    cost_of_check(number, bytes, 1, 0);
    ++counts_->software_checks;
    out.stage = Stage::Software;
    out.cycles += latency;
    hierarchy_->release(line);
    return;
  }

  for (Bytes left = bytes; left != 0;) {
    // Expanded metadata comes in two lines, and an access may need both.
    const bool whole = p.copy != kNone ? hierarchy_->copies()[p.copy].compact
                                       : config_->compact_metadata() && item != 1;
    const Bytes part = left & half_bytes(0);
    p.bytes = whole && item != 1 ? left : part != 0 ? part : left;
    left &= ~p.bytes;

    latency = std::max(latency, ensure_metadata(line, p));
    Copy& copy = hierarchy_->copies()[p.copy];
    learn_granularity(copy, c, p);

    const Bytes allowed = !config_->permissions ? 0 : p.write ? copy.may_write : copy.may_read;
    if (const Bytes violated = p.bytes & ~allowed; violated != 0) {
      ++counts_->hardware_checks;
      out.cycles += config_->hardware_check;
      out.stage = std::max(out.stage, Stage::Hardware);
      // Of all bytes: a software check will ask for more than are violated.
      const Remote remote = look_around(line, copy, *p.thread, all_bytes_);
      Bytes race = 0, free = 0;
      if (p.write) {
        race = remote.late_reads | remote.late_writes;
        free = last_write_known(line) & all_reads_known(line) &
               ~(remote.foreign_reads | remote.foreign_writes);
      } else {
        race = remote.late_writes;
        free = copy.valid_reads | remote.past_reads |
               (last_write_known(line) & ~remote.foreign_writes);
      }
      race &= violated;
      free &= violated & ~race;
      grant(line, copy, remote, free);
      copy.may_read |= free;  // also where only a last read vouches for the last write
      if (race != 0) {
        out.race = true;
        pin(line, race);
        for (Bytes b = race; b != 0; b &= b - 1) {
          pinned_access(kind, address_of(line) + static_cast<unsigned>(std::countr_zero(b)), 1,
                        *p.thread);
        }
        p.bytes &= ~race;
      }
      if (const Bytes unknown = violated & ~race & ~free; unknown != 0) {
        ++counts_->software_checks;
        out.stage = Stage::Software;
        out.race |= software_check(line, p, unknown, remote);
      }
    }
    record(line, p, moved.coherence);
  }
  out.cycles += latency;
  hierarchy_->release(line);
}

// What the other cores' metadata says about `bytes`, compared with the thread's time.
Radish::Remote Radish::look_at_others(const Line& line, const Copy& self,
                                      const HappensBefore::Thread& t, Bytes bytes) const {
  Remote r;
  for (const std::uint32_t i : line.copies) {
    const Copy& copy = hierarchy_->copies()[i];
    if (&copy == &self) continue;
    const Bytes reads = copy.valid_reads & bytes;
    const Bytes writes = copy.valid_writes & bytes;
    const Context& c = contexts_[copy.context];
    if (!c.on_core) {
      r.foreign_reads |= reads;
      r.foreign_writes |= writes;
      continue;
    }
    const Clock seen = t.clock[c.slot];
    if (seen >= copy.newest) {
      r.past_reads |= reads;
      continue;
    }
    const Bytes late = copy.reads.after(seen, reads);
    r.late_reads |= late;
    r.past_reads |= reads & ~late;
    r.late_writes |= copy.writes.after(seen, writes);
  }
  return r;
}

// The line came back, or may be written again: others may have accessed it meanwhile.
void Radish::downgrade(const Line& line, Copy& self, const HappensBefore::Thread& t) {
  if ((self.may_read | self.may_write) == 0) return;
  if (fault_ == Fault::CoherenceKeepsPermissions) return;
  const Remote r = look_around(line, self, t, self.may_read | self.may_write);
  self.may_read &= ~(r.late_writes | r.foreign_writes);
  self.may_write &= ~(r.late_writes | r.foreign_writes | r.late_reads | r.foreign_reads);
}

// Permissions from what hardware knows (Section 4.4).
void Radish::grant(const Line& line, Copy& self, const Remote& r, Bytes bytes) const {
  const Bytes known = bytes & last_write_known(line);
  const Bytes readable = known & ~(r.late_writes | r.foreign_writes);
  self.may_read |= readable;
  self.may_write |= fault_ == Fault::FillGrantsWrite
                        ? readable
                        : readable & all_reads_known(line) & ~(r.late_reads | r.foreign_reads);
}

// The access took place. `told_others`: a coherence message went out with it.
void Radish::record(Line& line, Piece& p, bool told_others) {
  if (p.bytes == 0) return;
  Copy& self = hierarchy_->copies()[p.copy];
  const Clock now = p.context->now.clock();
  if (!p.write) {
    set_reads(self, *p.context, p.bytes, now);
    return;
  }
  for (const std::uint32_t i : line.copies) {
    Copy& other = hierarchy_->copies()[i];
    if (&other == &self) continue;
    if (fault_ != Fault::WriteKeepsClocks) {
      drop_reads(other, p.bytes);
      drop_writes(other, p.bytes);
    }
    if (told_others) {
      other.may_read &= ~p.bytes;
      other.may_write &= ~p.bytes;
    }
  }
  drop_reads(self, p.bytes);
  set_writes(self, *p.context, p.bytes, now);
  written(line, p.bytes);
  self.may_read |= p.bytes;
  self.may_write |= p.bytes;
}

}  // namespace steward::sim
