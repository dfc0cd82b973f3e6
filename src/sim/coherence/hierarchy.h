// Private L1 and L2 for each core and a shared L3 over them, inclusive at each level, kept coherent
// by MESI. Data lines take part in coherence; metadata lines are only stored (RADISH paper, Section
// 4.3): a copy may lie in its core's L1 and L2 and in L3, nowhere else.
#pragma once

#include <memory>
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

// How many entries a table of what a core used last has: enough for what its L2 holds.
unsigned near_bits(const Config& config);

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
    Line*& near = near_[(std::uint64_t{core} << near_bits_) +
                        (number & ((std::uint64_t{1} << near_bits_) - 1))];
    if (near == nullptr || near->number != number) near = &lines_.get(number);
    ++near->busy;
    return *near;
  }
  void release(Line& line) {
    --line.busy;
    forget_unused(line);
  }
  // No cache has any part of it left.
  void forget_unused(Line& line) {
    if (line.busy == 0 && !line.in_l3 && line.copies.size() == 0) lines_.drop(line);
  }

  Access read(unsigned core, Line& line);
  Access write(unsigned core, Line& line);
  // Modified, Exclusive, Shared or Invalid, as 'M' ...
  char state(unsigned core, const Line& line) const;

  // A metadata line that is in some cache: brings it to its core's L1.
  unsigned read_metadata(std::uint32_t copy, unsigned half);
  // One that is in none.
  void insert_metadata(std::uint32_t copy, unsigned half);
  // Out of all caches; the owner is not told.
  void drop_metadata(std::uint32_t copy, unsigned half);
  // Where it is: what it costs to reach it.
  unsigned metadata_latency(std::uint32_t copy, unsigned half);
  // A compact line becomes the first of two expanded ones.
  void expand(std::uint32_t copy);

  LineTable& lines() { return lines_; }
  Slab<Copy>& copies() { return copies_; }

  const Contents& contents() const { return contents_; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  struct Private {
    SetCache l1, l2;
  };

  std::uint64_t place(const Line& line) const { return line.number; }
  std::uint64_t place(const Copy& copy, unsigned half) const;
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
  unsigned hit(unsigned core, Line& line, bool& l1_miss);
  void count(Tag tag, int change);

  std::uint64_t l1_latency_, l2_latency_, remote_, l3_latency_, memory_;
  bool exclusive_;
  bool nested_ = false;
  MetadataOwner* owner_ = nullptr;
  std::vector<Private> private_;
  SetCache l3_;
  LineTable lines_;
  // A record keeps its place, and its number tells whether it is still the one: never stale.
  unsigned near_bits_;
  std::vector<Line*> near_;
  Slab<Copy> copies_;
  Contents contents_;
  std::uint64_t capacity_ = 0;
};

}  // namespace steward::sim
