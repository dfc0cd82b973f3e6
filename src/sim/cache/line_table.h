// The records of lines, found by number. A chained table whose links lie in the records, so that a
// lookup reads one word that is not the record's; lines next to each other have their chains next
// to each other.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "sim/cache/line.h"
#include "sim/cache/slab.h"

namespace steward::sim {

class LineTable {
 public:
  // `most`: more lines than that there never are. Four to eight chains a line: the program, the
  // software's map and its read map lie densely in places of their own, which had better not meet
  // in the same chains. As they are dense, a larger table takes no more of the host's caches.
  explicit LineTable(std::uint64_t most)
      : bits_(static_cast<unsigned>(std::bit_width(most)) + 2),
        heads_(std::size_t{1} << bits_, kNone),
        lines_(most) {}

  Line* find(std::uint64_t number) {
    for (std::uint32_t i = head(number); i != kNone; i = lines_[i].next) {
      if (lines_[i].number == number) return &lines_[i];
    }
    return nullptr;
  }
  const Line* find(std::uint64_t number) const {
    return const_cast<LineTable*>(this)->find(number);
  }
  Line& get(std::uint64_t number) {
    if (Line* found = find(number)) return *found;
    const std::uint32_t i = lines_.make();
    Line& line = lines_[i];
    line.number = number;
    line.self = i;
    line.next = std::exchange(head(number), i);
    return line;
  }
  void drop(Line& line) {
    std::uint32_t* link = &head(line.number);
    while (*link != line.self) link = &lines_[*link].next;
    *link = line.next;
    line.number = kNoLine;
    lines_.drop(line.self);
  }

  // Soon find(number) will be asked: for where its chain begins, and later for the first record.
  void prefetch_chain(std::uint64_t number) const { prefetch_line(&heads_[home(number)]); }
  void prefetch_first(std::uint64_t number) const {
    if (const std::uint32_t i = heads_[home(number)]; i != kNone) lines_.prefetch(i);
  }
  // The first of its chain, which it mostly is itself, or nobody's record.
  const Line& first(std::uint64_t number) const {
    const std::uint32_t i = heads_[home(number)];
    return lines_[i == kNone ? 0 : i];
  }
  void prefetch(std::uint32_t i) const { lines_.prefetch(i); }
  const void* at(std::uint32_t i) const { return lines_.at(i); }

  Line& operator[](std::uint32_t i) { return lines_[i]; }
  const Line& operator[](std::uint32_t i) const { return lines_[i]; }
  std::size_t size() const { return lines_.live(); }

  template <class F>
  void for_each(F f) {
    for (const std::uint32_t first : heads_) {
      for (std::uint32_t i = first; i != kNone; i = lines_[i].next) f(lines_[i]);
    }
  }

 private:
  std::size_t home(std::uint64_t number) const {
    const std::uint64_t above = (number >> bits_) * 0x9e37'79b9'7f4a'7c15u;
    return (number + (above >> 32)) & (heads_.size() - 1);
  }
  std::uint32_t& head(std::uint64_t number) { return heads_[home(number)]; }

  unsigned bits_;
  std::vector<std::uint32_t, HugePages<std::uint32_t>> heads_;
  Slab<Line> lines_;
};

}  // namespace steward::sim
