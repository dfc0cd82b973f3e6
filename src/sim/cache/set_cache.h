// The tags of one set-associative cache, least recently used out first. A set lies in order of use,
// so that the commonest hit is one comparison and the victim is the last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/cache/huge_pages.h"

namespace steward::sim {

// What a cache holds a line of: a data line, or a half of a metadata copy (cache/line.h).
using Tag = std::uint32_t;
inline constexpr Tag kNoTag = 0xffff'ffff;

class SetCache {
 public:
  // The number of sets is a power of two.
  SetCache(std::uint64_t bytes, unsigned ways, unsigned line)
      : ways_(ways), mask_(bytes / (std::uint64_t{ways} * line) - 1), tags_(bytes / line, kNoTag) {}

  // Also makes it the set's most recently used.
  bool find(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    if (s[0] == tag) return true;
    for (unsigned i = 1; i < ways_; ++i) {
      if (s[i] != tag) continue;
      to_front(s, i, tag);
      return true;
    }
    return false;
  }

  // The tag that had to go, or kNoTag.
  Tag insert(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    const Tag victim = s[ways_ - 1];
    to_front(s, ways_ - 1, tag);
    return victim;
  }

  bool erase(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    for (unsigned i = 0; i < ways_; ++i) {
      if (s[i] != tag) continue;
      std::memmove(s + i, s + i + 1, (ways_ - 1 - i) * sizeof(Tag));
      s[ways_ - 1] = kNoTag;
      return true;
    }
    return false;
  }

  // The same line under another tag.
  bool rename(std::uint64_t place, Tag from, Tag to) {
    Tag* s = set(place);
    Tag* const found = std::find(s, s + ways_, from);
    if (found == s + ways_) return false;
    *found = to;
    return true;
  }

  std::uint64_t sets() const { return mask_ + 1; }
  std::uint64_t lines() const { return tags_.size(); }

 private:
  Tag* set(std::uint64_t place) { return tags_.data() + (place & mask_) * ways_; }
  static void to_front(Tag* s, unsigned from, Tag tag) {
    std::memmove(s + 1, s, from * sizeof(Tag));
    s[0] = tag;
  }

  unsigned ways_;
  std::uint64_t mask_;
  std::vector<Tag, HugePages<Tag>> tags_;
};

}  // namespace steward::sim
