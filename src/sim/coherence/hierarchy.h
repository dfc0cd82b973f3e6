// Private L1 and L2 for each core and a shared L3 over them, inclusive at each level, kept coherent
// by MESI. Data lines take part in coherence; metadata lines are only stored (RADISH paper, Section
// 4.3): a copy may lie in its core's L1 and L2 and in L3, nowhere else.
#pragma once

#include <array>
#include <vector>

#include "sim/cache/line_table.h"
#include "sim/cache/set_cache.h"
#include "sim/config.h"

namespace steward::sim {

// Told when the last-level cache lets go of a metadata line. It may drop the copy.
class MetadataOwner {
 public:
  virtual void evicted(std::uint32_t copy, unsigned half) = 0;

 protected:
  ~MetadataOwner() = default;
};

// Lines of all caches together, by what they hold.
struct Contents {
  std::uint64_t data = 0;
  std::uint64_t compact = 0;
  std::uint64_t expanded = 0;
};

class Hierarchy {
 public:
  struct Access {
    unsigned latency;
    bool coherence;  // the line came in, or its state was raised: other cores were asked
    bool l1_miss;
  };

  explicit Hierarchy(const Config& config);

  void set_owner(MetadataOwner* owner) { owner_ = owner; }

  // The record of a data line. Stays until released, however the caches change.
  Line& hold(unsigned core, std::uint64_t number) {
    Near& near = this->near(core, number);
    Line* line = known(near, number);
    if (line == nullptr) line = &look_up(near, number);
    ++line->busy;
    return *line;
  }

  // What a core used last of the lines that have the same place in its table. Records say
  // themselves whether they still are the ones; 0 is nobody's.
  struct alignas(16) Near {
    std::uint32_t above = 0;  // of the line's number, what the place does not tell
    std::uint32_t line = 0;
    std::uint32_t copy = 0;  // of the line's metadata, that of the core's thread
  };
  Near& near(unsigned core, std::uint64_t number) { return near_[near_place(core, number)]; }
  const Near& near(unsigned core, std::uint64_t number) const {
    return near_[near_place(core, number)];
  }
  // The record of a line that the core's table does not know; from now on it does.
  Line& look_up(Near& near, std::uint64_t number) {
    Line& line = lines_.get(number);
    near = {above(number), line.self, 0};
    return line;
  }
  // The line for a short look, if this core used it lately; else null.
  Line* known(const Near& near, std::uint64_t number) {
    if (near.above != above(number)) return nullptr;
    Line& line = lines_[near.line];
    return line.number == number ? &line : nullptr;
  }
  void release(Line& line) {
    --line.busy;
    forget_unused(line);
  }
  // No cache has any part of it left.
  void forget_unused(Line& line) {
    if (line.busy == 0 && !line.in_l3 && line.copies.size() == 0) lines_.drop(line);
  }

  Access read(unsigned core, Line& line) {
    return is_silent(core, line, false) ? silent(core, line, false) : fetch(core, line);
  }
  Access write(unsigned core, Line& line) {
    return is_silent(core, line, true) ? silent(core, line, true) : fetch_to_write(core, line);
  }
  // All of it for who does not look at the record: the latency.
  unsigned touch(unsigned core, std::uint64_t number, bool write) {
    Near& near = this->near(core, number);
    Line* line = known(near, number);
    if (line == nullptr) line = &look_up(near, number);
    return touch(core, *line, write);
  }
  // The same for a line that the core hardly ever used lately: its table is not asked, nor told.
  unsigned touch_rare(unsigned core, std::uint64_t number, bool write) {
    return touch(core, lines_.get(number), write);
  }
  // Modified, Exclusive, Shared or Invalid, as 'M' ...
  char state(unsigned core, const Line& line) const;

  // An access that needs no message: the core has the line, and may write it if it will.
  bool is_silent(unsigned core, const Line& line, bool write) const {
    return write ? line.owner == static_cast<std::int8_t>(core) : (line.sharers >> core & 1) != 0;
  }
  Access silent(unsigned core, Line& line, bool write) {
    line.dirty = line.dirty || write;
    bool l1_miss = false;
    const unsigned latency = hit(core, line, l1_miss);
    return {latency, false, l1_miss};
  }

  // A metadata line that is in some cache: brings it to its core's L1.
  unsigned read_metadata(const Line& line, std::uint32_t i, unsigned half) {
    const Copy& copy = copies_[i];
    const std::uint64_t at = metadata_place(line.number, copy.context, half);
    const Tag tag = tag_of(copy, i, half);
    if (private_[copy.core].l1.find(at, tag)) [[likely]]
      return static_cast<unsigned>(l1_latency_);
    return metadata_from_below(copy.core, at, tag);
  }
  // One that is in none.
  void insert_metadata(std::uint32_t copy, unsigned half);
  // Out of all caches; the owner is not told.
  void drop_metadata(std::uint32_t copy, unsigned half);
  // Where it is: what it costs to reach it.
  unsigned metadata_latency(std::uint32_t copy, unsigned half);
  // A compact line becomes the first of two expanded ones.
  void expand(std::uint32_t copy);

  // These ask the host's memory for what an access will look at, and change nothing: what a core's
  // table says of the line.
  void prefetch_near(unsigned core, std::uint64_t number) const {
    prefetch_line(&near(core, number));
  }
  // The same, where that says nothing of it, and L3's set.
  void prefetch_place(unsigned core, std::uint64_t number) const {
    prefetch_near(core, number);
    lines_.prefetch_chain(number);
    prefetch_set(number);
  }
  // For a line that will come to this place: the set; then the records of what has to leave L3 and
  // L2 for it.
  void prefetch_set(std::uint64_t place) const { l3_.prefetch(place); }
  void prefetch_victim(std::uint64_t place) const { prefetch(l3_.oldest(place)); }
  void prefetch_victims(unsigned core, std::uint64_t place) const {
    prefetch_victim(place);
    prefetch(private_[core].l2.oldest(place));
  }

  // Metadata lies at base + 2x, each core with a base of its own (Figure 4). The bases differ below
  // the set index too, so that the copies of one line do not all fight for one set.
  static std::uint64_t metadata_place(std::uint64_t number, std::uint32_t context, unsigned half) {
    constexpr std::uint64_t kBase = 0x9e37'79b1;
    return 2 * number + half + (context + 1) * kBase;
  }

  LineTable& lines() { return lines_; }
  const LineTable& lines() const { return lines_; }
  Slab<Copy>& copies() { return copies_; }
  const Slab<Copy>& copies() const { return copies_; }

  Contents contents() const {
    return {contents_[data_tag(0)], contents_[compact_tag(0)],
            contents_[expanded_tag(0, 0)] + contents_[expanded_tag(0, 1)]};
  }
  std::uint64_t capacity() const { return capacity_; }

 private:
  struct Private {
    SetCache l1, l2;
  };

  std::uint32_t above(std::uint64_t number) const {
    return static_cast<std::uint32_t>(number >> near_bits_);
  }

  void prefetch(Tag tag) const {
    tag = tag == kNoTag ? data_tag(0) : tag;
    const bool data = is_data(tag);
    const char* const record = static_cast<const char*>(data ? lines_.at(record_of(tag))
                                                             : copies_.at(record_of(tag)));
    prefetch_line(record);
    prefetch_line(record + (data ? 0 : sizeof(Line)));  // a copy has two lines of the host's cache
  }
  std::size_t near_place(unsigned core, std::uint64_t number) const {
    return (std::uint64_t{core} << near_bits_) + (number & ((std::uint64_t{1} << near_bits_) - 1));
  }

  unsigned touch(unsigned core, Line& line, bool write) {
    if (is_silent(core, line, write)) return silent(core, line, write).latency;
    // The record needs not be held: L3 has the line from when it makes room for it.
    return (write ? fetch_to_write(core, line) : fetch(core, line)).latency;
  }

  std::uint64_t place(const Line& line) const { return line.number; }
  std::uint64_t place(const Copy& copy, unsigned half) const {
    return metadata_place(lines_[copy.line].number, copy.context, half);
  }
  std::uint64_t place(Tag tag) const;
  // A victim shares its set with what came at `place`, and so, where larger caches have more sets,
  // all sets of the smaller ones: no need to look at its record.
  std::uint64_t victims_place(std::uint64_t came_at, Tag victim) const {
    return nested_ ? came_at : place(victim);
  }

  // From the level that has it into L2 and L1 of `core`.
  void fill_private(unsigned core, std::uint64_t place, Tag tag);
  void fill_l1(unsigned core, std::uint64_t place, Tag tag);
  void fill_l3(std::uint64_t place, Tag tag);
  void out_of_l2(unsigned core, std::uint64_t place, Tag tag);
  void out_of_l3(std::uint64_t place, Tag tag);
  void erase_private(unsigned core, std::uint64_t place, Tag tag);
  void invalidate_others(unsigned core, Line& line);
  Access fill(unsigned core, Line& line);
  Access fetch(unsigned core, Line& line);
  Access fetch_to_write(unsigned core, Line& line);
  unsigned hit(unsigned core, Line& line, bool& l1_miss) {
    const Tag tag = data_tag(line.self);
    l1_miss = !private_[core].l1.find(line.number, tag);
    if (!l1_miss) [[likely]]
      return static_cast<unsigned>(l1_latency_);
    return from_l2(core, line.number, tag);
  }
  unsigned from_l2(unsigned core, std::uint64_t place, Tag tag);
  unsigned metadata_from_below(unsigned core, std::uint64_t place, Tag tag);
  void count(Tag tag, int change) {
    contents_[tag & 3] += static_cast<std::uint64_t>(change);  // modulo 2^64
  }

  std::uint64_t l1_latency_, l2_latency_, remote_, l3_latency_, memory_;
  bool exclusive_;
  bool nested_ = false;
  MetadataOwner* owner_ = nullptr;
  std::vector<Private> private_;
  SetCache l3_;
  LineTable lines_;
  unsigned near_bits_;
  std::vector<Near, HugePages<Near>> near_;
  Slab<Copy> copies_;
  std::array<std::uint64_t, 4> contents_{};  // by the kind that a tag tells
  std::uint64_t capacity_ = 0;
};

}  // namespace steward::sim
