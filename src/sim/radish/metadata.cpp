// Metadata lines: how they come, grow and go.
#include <bit>
#include <cassert>

#include "sim/radish/radish.h"

namespace steward::sim {

namespace {

// How many gaps a context's list may have, besides as many as it has copies.
constexpr std::size_t kMostGaps = 1024;

}  // namespace

std::uint32_t Radish::search_copy(const Line& line, const Context& c) const {
  const std::uint32_t wanted = c.number;
  for (const std::uint32_t i : line.copies) {
    if (hierarchy_->copies()[i].context == wanted) return i;
  }
  return kNone;
}

std::uint32_t Radish::find_copy(const Line& line, const Context& c) {
  const std::uint32_t wanted = c.number;
  if ((line.owners >> (wanted % 64) & 1) == 0) return kNone;
  std::uint32_t& near = hierarchy_->near(c.core, line.number).copy;
  if (hierarchy_->copies()[near].line != line.self ||
      hierarchy_->copies()[near].context != wanted) {
    const std::uint32_t found = search_copy(line, c);
    if (found == kNone) return kNone;
    near = found;
  }
  Copy& copy = hierarchy_->copies()[near];
  if (copy.schedule != c.schedule) {
    copy.may_read = copy.may_write = 0;
    copy.schedule = c.schedule;
  }
  return near;
}

std::uint32_t Radish::make_copy(Line& line, Context& c, bool compact) {
  auto& copies = hierarchy_->copies();
  const std::uint32_t i = copies.make();
  Copy& copy = copies[i];
  copy.line = line.self;
  copy.context = c.number;
  copy.core = static_cast<std::uint8_t>(c.core);
  copy.compact = compact;
  copy.schedule = c.schedule;
  if (!config_->type_safety) copy.narrow = all_bytes_;
  line.copies.add(i);
  line.owners |= std::uint64_t{1} << (copy.context % 64);
  if (c.copies.size() >= 2 * std::size_t{c.live} + kMostGaps) close_gaps(c);
  copy.at = static_cast<std::uint32_t>(c.copies.size());
  c.copies.push_back(i);
  ++c.live;
  hierarchy_->near(c.core, line.number).copy = i;
  return i;
}

// So that the list stays as long as there are copies, whatever comes and goes.
void Radish::close_gaps(Context& c) {
  std::uint32_t to = 0;
  for (const std::uint32_t i : c.copies) {
    if (i == kNone) continue;
    hierarchy_->copies()[i].at = to;
    c.copies[to++] = i;
  }
  c.copies.resize(to);
}

void Radish::drop_if_empty(std::uint32_t i) {
  auto& copies = hierarchy_->copies();
  Copy& copy = copies[i];
  if (copy.resident != 0 || copy.busy != 0) return;
  Line& line = hierarchy_->lines()[copy.line];
  line.copies.remove(i);
  line.owners &= ~(std::uint64_t{1} << (copy.context % 64));
  if (contexts_.size() > 64) {  // a bit may stand for several
    for (const std::uint32_t j : line.copies) {
      line.owners |= std::uint64_t{1} << (copies[j].context % 64);
    }
  }
  Context& c = contexts_[copy.context];
  c.copies[copy.at] = kNone;
  --c.live;
  copy.line = kNone;
  copies.drop(i);
  hierarchy_->forget_unused(line);
}

// The metadata for p.bytes is in the core's L1 afterwards: the latency of getting it there.
std::uint64_t Radish::ensure_metadata(Line& line, Piece& p) {
  const bool fits_compact = config_->compact_metadata() && p.item != 1;
  if (p.copy == kNone) p.copy = make_copy(line, *p.context, fits_compact);
  Copy& copy = hierarchy_->copies()[p.copy];
  ++copy.busy;
  std::uint64_t latency = 0;
  if (copy.compact && !fits_compact && copy.resident != 0) inflate(copy, p.copy);
  const unsigned half =
      copy.compact ? 0 : static_cast<unsigned>(std::countr_zero(p.bytes)) / half_size_;
  if ((p.bytes & ~copy.resident) == 0) {
    latency = hierarchy_->read_metadata(line, p.copy, half);
  } else {
    latency = fill(line, p, half);
  }
  --copy.busy;
  return latency;
}

// A metadata line that is in no cache: made, while the others are asked what they know of its
// bytes.
std::uint64_t Radish::fill(Line& line, Piece& p, unsigned half) {
  Copy& copy = hierarchy_->copies()[p.copy];
  const Bytes bytes = copy.compact ? all_bytes_ : half_bytes(half);
  hierarchy_->insert_metadata(p.copy, half);
  copy.resident |= bytes;
  if (const Bytes known = bytes & last_write_known(line); known != 0) {
    grant(line, copy, look_around(line, copy, *p.thread, known), bytes);
  }
  return config_->l3.latency;
}

// The first access to a single byte (Section 5.2). What the compact line says is still right for
// every byte, so it only needs more room.
void Radish::inflate(Copy& copy, std::uint32_t i) {
  ++counts_->inflations;
  hierarchy_->expand(i);
  hierarchy_->insert_metadata(i, 1);
  assert((copy.resident & half_bytes(1)) == half_bytes(1));
}

void Radish::learn_granularity(Copy& copy, Context& c, const Piece& p) {
  if (knows_granularity(copy, p.bytes, p.item)) return;
  const Bytes fresh = p.bytes & ~(copy.narrow | copy.words | copy.doubles);
  const bool is_word = p.item == 4;
  const bool is_double = p.item == 8;
  if (fresh == p.bytes) {
    first_granularity(copy, fresh, p.item);
    return;
  }

  // Not type-safe after all. Items are cut to the smallest size seen, and stay exact.
  ++counts_->granularity_changes;
  if (is_double || is_word) {
    copy.words |= fresh;
    if (is_word) {
      Bytes cut = 0;  // whole doubles that this word is a part of
      for_each_byte(p.bytes & copy.doubles, [&](unsigned b) { cut |= Bytes{0xff} << (b & ~7u); });
      copy.words |= cut & copy.doubles;
      copy.doubles &= ~cut;
    }
    return;
  }
  Bytes items = fresh;
  for_each_byte(p.bytes & copy.doubles, [&](unsigned b) { items |= Bytes{0xff} << (b & ~7u); });
  for_each_byte(p.bytes & copy.words, [&](unsigned b) { items |= Bytes{0x0f} << (b & ~3u); });
  narrow_down(copy, c, items & copy.resident & ~copy.narrow);
}

// Wide clocks become narrow ones, where the table has room for them; else they go to software.
void Radish::narrow_down(Copy& copy, Context& c, Bytes items) {
  Bytes homeless = 0;
  for_each_byte(items, [&](unsigned b) {
    const Bytes one = Bytes{1} << b;
    const bool read = (copy.valid_reads & one) != 0;
    const bool write = (copy.valid_writes & one) != 0;
    if (read && !c.clocks.fits(copy.reads[b], true, 1)) {
      homeless |= one;
      return;
    }
    // Before the next question: an entry without references may go to the next clock that asks.
    if (read) c.clocks.add(copy.reads[b], 1);
    if (write && !c.clocks.fits(copy.writes[b], true, 1)) {
      if (read) c.clocks.drop(copy.reads[b], 1);
      homeless |= one;
      return;
    }
    if (write) c.clocks.add(copy.writes[b], 1);
  });
  spill(copy, homeless);
  copy.words &= ~items;
  copy.doubles &= ~items;
  copy.narrow |= items;
}

// What is to be said of some bytes, and of all that have the same history: it is the same
// afterwards, and shared.
struct Radish::Stored {
  Epoch read, write;  // minimal: none
  bool dead;          // what software has of reads
  bool any = false;
  History before{}, after{};  // of the last one: words to compare and not owners

  void operator()(Pool& pool, History& h) {
    if (any && h.same(before)) {
      h.become(pool, after);
      return;
    }
    any = true;
    before = h;
    if (dead) h.clear_reads(pool);
    if (!write.is_minimal()) h.set_write(write);
    if (!read.is_minimal()) h.put_read(pool, read);
    after = h;
  }
};

// Nearly always it is whole granules.
void Radish::store_eights(const Copy& copy, Address base, Slot slot, Bytes reads, Bytes writes,
                          Bytes dead) {
  Granule<History>* const granules = map_.granules_in_page(base);
  Stored stored{};
  unsigned next = kMaxLine;  // where the last one ended
  for (Bytes left = reads | writes; left != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    left &= ~(Bytes{0xff} << first);
    const Epoch read = (reads >> first & 1) != 0 ? Epoch{slot, copy.reads[first]} : Epoch{};
    const Epoch write = (writes >> first & 1) != 0 ? Epoch{slot, copy.writes[first]} : Epoch{};
    const bool is_dead = (dead >> first & 1) != 0;
    if (first != next || read != stored.read || write != stored.write || is_dead != stored.dead) {
      stored = {read, write, is_dead};
    }
    granules[first / kGranule].visit(*pool_, 0, kGranule,
                                     [&](History& h, unsigned, unsigned) { stored(*pool_, h); });
    next = first + kGranule;
  }
}

void Radish::store_runs(const Copy& copy, Address base, Slot slot, Bytes reads, Bytes writes,
                        Bytes dead) {
  // Bytes of which the same is to be said as of `b`.
  const auto alike = [&](unsigned b) {
    const auto agree = [&](Bytes mask) { return (mask >> b & 1) != 0 ? mask : ~mask; };
    Bytes same = agree(reads) & agree(writes) & agree(dead);
    if ((reads >> b & 1) != 0) same = copy.reads.same(b, same);
    if ((writes >> b & 1) != 0) same = copy.writes.same(b, same);
    return same;
  };
  for (Bytes left = reads | writes; left != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const unsigned end =
        first + static_cast<unsigned>(std::countr_one((left & alike(first)) >> first));
    Stored stored{(reads >> first & 1) != 0 ? Epoch{slot, copy.reads[first]} : Epoch{},
                  (writes >> first & 1) != 0 ? Epoch{slot, copy.writes[first]} : Epoch{},
                  (dead >> first & 1) != 0};
    map_.visit_in_page(base + first, end - first,
                       [&](History& h, Address, unsigned) { stored(*pool_, h); });
    left &= ~bytes_from(first, end - first);
  }
}

// Whether it is known, without a look at their copies, that all others who have one happen after
// what this one says.
bool Radish::all_happen_after(const Line& line, const Copy& copy) const {
  if (contexts_.size() > 64) return false;
  const Slot slot = contexts_[copy.context].slot;
  for (Bytes left = line.owners & ~(std::uint64_t{1} << copy.context); left != 0;
       left &= left - 1) {
    const Context& c = contexts_[static_cast<unsigned>(std::countr_zero(left))];
    if (c.thread != nullptr && c.thread->clock[slot] < copy.newest) return false;
  }
  return true;
}

// Valid clocks go to the variable map, and everybody hears of it (Section 4.4): the status is
// lowered, and the permissions of those who do not happen after what leaves.
void Radish::spill(Copy& copy, Bytes bytes) {
  const Bytes reads = copy.valid_reads & bytes;
  const Bytes writes = copy.valid_writes & bytes;
  if ((reads | writes) == 0) return;
  Line& line = hierarchy_->lines()[copy.line];
  const Slot slot = contexts_[copy.context].slot;
  const Address base = address_of(line);

  // All last reads are in hardware: those that software has are older than the last write.
  const Bytes dead = line.all_reads_in_hardware;
  if (in_eights(reads) && in_eights(writes) && in_eights(dead & (reads | writes)) &&
      copy.reads.surely_in_eights(reads) && copy.writes.surely_in_eights(writes)) {
    store_eights(copy, base, slot, reads, writes, dead);
  } else {
    store_runs(copy, base, slot, reads, writes, dead);
  }

  if (fault_ != Fault::EvictionKeepsStatus) {
    write_evicted(line, writes);
    read_evicted(line, reads);
  }
  const bool all_know = all_happen_after(line, copy);
  for (const std::uint32_t i : line.copies) {
    if (all_know) break;
    Copy& other = hierarchy_->copies()[i];
    const HappensBefore::Thread* t = contexts_[other.context].thread;
    if (&other == &copy || t == nullptr || fault_ == Fault::EvictionKeepsPermissions) continue;
    const Clock seen = t->clock[slot];
    if (seen >= copy.newest) continue;
    const Bytes late_writes = copy.writes.after(seen, writes & other.may_read);
    other.may_read &= ~late_writes;
    other.may_write &= ~(late_writes | copy.reads.after(seen, reads & other.may_write));
  }
  drop_reads(copy, reads);
  drop_writes(copy, writes);
}

void Radish::evict(std::uint32_t i, Bytes bytes) {
  Copy& copy = hierarchy_->copies()[i];
  spill(copy, bytes);
  copy.resident &= ~bytes;
  copy.may_read &= ~bytes;
  copy.may_write &= ~bytes;
  copy.words &= ~bytes;
  copy.doubles &= ~bytes;
  if (config_->type_safety) copy.narrow &= ~bytes;
  Line& line = hierarchy_->lines()[copy.line];
  // What nobody has any more; looked for only where there is a status to lose.
  Bytes nowhere = bytes & (line.last_write_in_hardware | line.all_reads_in_hardware);
  for (const std::uint32_t j : line.copies) {
    if (nowhere == 0) break;
    nowhere &= ~hierarchy_->copies()[j].resident;
  }
  forgotten(line, nowhere);
  drop_if_empty(i);
}

void Radish::evict_from_caches(std::uint32_t i) {
  hierarchy_->drop_metadata(i, 0);
  hierarchy_->drop_metadata(i, 1);
  evict(i, all_bytes_);
}

void Radish::evicted(std::uint32_t i, unsigned half) {
  ++counts_->metadata_evictions;
  Copy& copy = hierarchy_->copies()[i];
  eviction_buffer_.push_back(hierarchy_->lines()[copy.line].number);
  evict(i, copy.compact ? all_bytes_ : half_bytes(half));
}

std::uint64_t Radish::handle_evictions(unsigned core) {
  std::uint64_t cycles = 0;
  while (eviction_buffer_.size() >= config_->eviction_buffer) {
    ++counts_->handler_runs;
    work_.instructions(config_->software_entry);
    for (const std::uint64_t number : eviction_buffer_) {
      work_.instructions(config_->evict_instructions);
      work_.touch(software::directory_line(number), false);
      work_.touch_rare(software::map_line(number, 0), true);
      work_.touch_rare(software::map_line(number, 1), true);
    }
    eviction_buffer_.clear();
    cycles += work_.run(*hierarchy_, core);  // which may evict more
  }
  return cycles;
}

// Narrow clocks that are not to be any longer.
void Radish::uncount_clocks(Context& c, const ByteClocks& clocks, Bytes bytes) {
  while (bytes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(bytes));
    const Bytes same = clocks.same(first, bytes);
    c.clocks.drop(clocks[first], static_cast<unsigned>(std::popcount(same)));
    bytes &= ~same;
  }
}

void Radish::drop_reads(Copy& copy, Bytes bytes) {
  bytes &= copy.valid_reads;
  if (bytes == 0) return;
  uncount_clocks(contexts_[copy.context], copy.reads, bytes & copy.narrow);
  copy.valid_reads &= ~bytes;
}

void Radish::drop_writes(Copy& copy, Bytes bytes) {
  bytes &= copy.valid_writes;
  if (bytes == 0) return;
  uncount_clocks(contexts_[copy.context], copy.writes, bytes & copy.narrow);
  copy.valid_writes &= ~bytes;
}

}  // namespace steward::sim
