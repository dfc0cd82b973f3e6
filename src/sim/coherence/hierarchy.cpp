#include "sim/coherence/hierarchy.h"

#include <algorithm>
#include <bit>

namespace steward::sim {

namespace {

constexpr std::uint64_t bit(unsigned core) {
  return std::uint64_t{1} << core;
}

// Records that no cache has a part of, for as long as they are in use. Every other one has a line
// of L3, or several.
constexpr std::uint64_t kBusy = 64;

// How many entries a core's table of what it used last has: enough for what its L2 holds.
unsigned near_bits(const Config& config) {
  constexpr std::uint64_t kMost = 1 << 14;
  return static_cast<unsigned>(
      std::bit_width(std::min(kMost, std::bit_ceil(2 * config.l2.size / config.line))) - 1);
}

}  // namespace

Hierarchy::Hierarchy(const Config& c)
    : l1_latency_(c.l1.latency),
      l2_latency_(c.l2.latency),
      remote_(c.remote_l2),
      l3_latency_(c.l3.latency),
      memory_(c.memory),
      exclusive_(c.protocol == Protocol::Mesi),
      l3_(c.l3.size, static_cast<unsigned>(c.l3.ways), static_cast<unsigned>(c.line)),
      lines_(l3_.lines() + kBusy),
      near_bits_(near_bits(c)),
      copies_(l3_.lines() + kBusy) {
  const auto line = static_cast<unsigned>(c.line);
  const std::uint64_t cores = c.cores + c.async_cores;
  for (std::uint64_t i = 0; i < cores; ++i) {
    private_.push_back({SetCache(c.l1.size, static_cast<unsigned>(c.l1.ways), line),
                        SetCache(c.l2.size, static_cast<unsigned>(c.l2.ways), line)});
    capacity_ += private_.back().l1.lines() + private_.back().l2.lines();
  }
  capacity_ += l3_.lines();
  near_.resize(cores << near_bits_);
  nested_ = private_[0].l1.sets() <= private_[0].l2.sets() && private_[0].l2.sets() <= l3_.sets();
}

std::uint64_t Hierarchy::place(Tag tag) const {
  return is_data(tag) ? place(lines_[record_of(tag)])
                      : place(copies_[record_of(tag)], half_of(tag));
}

void Hierarchy::erase_private(unsigned core, std::uint64_t place, Tag tag) {
  if (!private_[core].l2.erase(place, tag)) return;
  count(tag, -1);
  if (private_[core].l1.erase(place, tag)) count(tag, -1);
}

[[gnu::always_inline]] inline void Hierarchy::out_of_l2(unsigned core, std::uint64_t place,
                                                        Tag tag) {
  count(tag, -1);
  if (private_[core].l1.erase(place, tag)) count(tag, -1);
  if (!is_data(tag)) return;  // stays in L3
  Line& line = lines_[record_of(tag)];
  line.sharers &= ~bit(core);
  if (line.owner == static_cast<std::int8_t>(core)) {
    line.owner = kNoOwner;
    line.dirty = false;
  }
}

void Hierarchy::out_of_l3(std::uint64_t place, Tag tag) {
  if (!is_data(tag)) {
    Copy& copy = copies_[record_of(tag)];
    const unsigned half = half_of(tag);
    erase_private(copy.core, place, tag);
    copy.in_l3 &= static_cast<std::uint8_t>(~(1u << half));
    count(tag, -1);
    owner_->evicted(record_of(tag), half);
    return;
  }
  Line& line = lines_[record_of(tag)];
  for (std::uint64_t s = line.sharers; s != 0; s &= s - 1) {
    erase_private(static_cast<unsigned>(std::countr_zero(s)), place, tag);
  }
  line.sharers = 0;
  line.owner = kNoOwner;
  line.dirty = false;
  line.in_l3 = false;
  count(tag, -1);
  forget_unused(line);
}

[[gnu::always_inline]] inline void Hierarchy::fill_l1(unsigned core, std::uint64_t place, Tag tag) {
  const Tag victim = private_[core].l1.insert(place, tag);
  count(tag, 1);
  if (victim != kNoTag) count(victim, -1);  // L2 still has it
}

[[gnu::always_inline]] inline void Hierarchy::fill_private(unsigned core, std::uint64_t place,
                                                           Tag tag) {
  const Tag victim = private_[core].l2.insert(place, tag);
  count(tag, 1);
  if (victim != kNoTag) out_of_l2(core, victims_place(place, victim), victim);
  fill_l1(core, place, tag);
}

void Hierarchy::fill_l3(std::uint64_t place, Tag tag) {
  const Tag victim = l3_.insert(place, tag);
  count(tag, 1);
  if (victim != kNoTag) out_of_l3(victims_place(place, victim), victim);
}

void Hierarchy::invalidate_others(unsigned core, Line& line) {
  const Tag tag = data_tag(line.self);
  for (std::uint64_t s = line.sharers & ~bit(core); s != 0; s &= s - 1) {
    erase_private(static_cast<unsigned>(std::countr_zero(s)), line.number, tag);
  }
  line.sharers &= bit(core);
}

[[gnu::always_inline]] inline Hierarchy::Access Hierarchy::fill(unsigned core, Line& line) {
  const Tag tag = data_tag(line.self);
  std::uint64_t latency = memory_;
  if (line.sharers != 0) {
    latency = remote_;
  } else if (line.in_l3) {
    latency = l3_latency_;
  }
  line.owner = kNoOwner;
  line.dirty = false;
  if (line.in_l3) {
    l3_.find(line.number, tag);
  } else {
    line.in_l3 = true;
    fill_l3(line.number, tag);
  }
  line.sharers |= bit(core);
  fill_private(core, line.number, tag);
  return {static_cast<unsigned>(latency), true, true};
}

Hierarchy::Access Hierarchy::fetch(unsigned core, Line& line) {
  const Access a = fill(core, line);
  if (exclusive_ && line.sharers == bit(core)) line.owner = static_cast<std::int8_t>(core);
  return a;
}

Hierarchy::Access Hierarchy::fetch_to_write(unsigned core, Line& line) {
  Access a{};
  if ((line.sharers & bit(core)) != 0) {
    a.latency = hit(core, line, a.l1_miss) + static_cast<unsigned>(remote_);
    a.coherence = true;
  } else {
    a = fill(core, line);
  }
  invalidate_others(core, line);
  line.owner = static_cast<std::int8_t>(core);
  line.dirty = true;
  return a;
}

unsigned Hierarchy::from_l2(unsigned core, std::uint64_t place, Tag tag) {
  private_[core].l2.find(place, tag);
  fill_l1(core, place, tag);
  return static_cast<unsigned>(l2_latency_);
}

char Hierarchy::state(unsigned core, const Line& line) const {
  if ((line.sharers & bit(core)) == 0) return 'I';
  if (line.owner != static_cast<std::int8_t>(core)) return 'S';
  return line.dirty ? 'M' : 'E';
}

unsigned Hierarchy::metadata_from_below(unsigned core, std::uint64_t place, Tag tag) {
  if (private_[core].l2.find(place, tag)) {
    fill_l1(core, place, tag);
    return static_cast<unsigned>(l2_latency_);
  }
  l3_.find(place, tag);
  fill_private(core, place, tag);
  return static_cast<unsigned>(l3_latency_);
}

void Hierarchy::insert_metadata(std::uint32_t i, unsigned half) {
  Copy& copy = copies_[i];
  const std::uint64_t at = place(copy, half);
  const Tag tag = tag_of(copy, i, half);
  copy.in_l3 |= static_cast<std::uint8_t>(1u << half);
  fill_l3(at, tag);
  fill_private(copy.core, at, tag);
}

void Hierarchy::drop_metadata(std::uint32_t i, unsigned half) {
  Copy& copy = copies_[i];
  if ((copy.in_l3 >> half & 1) == 0) return;
  const std::uint64_t at = place(copy, half);
  const Tag tag = tag_of(copy, i, half);
  erase_private(copy.core, at, tag);
  l3_.erase(at, tag);
  count(tag, -1);
  copy.in_l3 &= static_cast<std::uint8_t>(~(1u << half));
}

unsigned Hierarchy::metadata_latency(std::uint32_t i, unsigned half) {
  const Copy& copy = copies_[i];
  const std::uint64_t at = place(copy, half);
  const Tag tag = tag_of(copy, i, half);
  Private& p = private_[copy.core];
  if (p.l1.find(at, tag)) return static_cast<unsigned>(l1_latency_);
  return static_cast<unsigned>(p.l2.find(at, tag) ? l2_latency_ : l3_latency_);
}

void Hierarchy::expand(std::uint32_t i) {
  Copy& copy = copies_[i];
  const std::uint64_t at = place(copy, 0);
  Private& p = private_[copy.core];
  for (SetCache* cache : {&p.l1, &p.l2, &l3_}) {
    if (!cache->rename(at, compact_tag(i), expanded_tag(i, 0))) continue;
    count(compact_tag(i), -1);
    count(expanded_tag(i, 0), 1);
  }
  copy.compact = false;
}

}  // namespace steward::sim
