// The tags of one set-associative cache, least recently used out first. A set lies in order of use,
// so that the commonest hit is one comparison and the victim is the last.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <vector>

#include "core/memory/prefetch.h"
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
    const unsigned at = position(s, tag);
    if (at == ways_) return false;
    to_front(s, at, tag);
    return true;
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
    const unsigned at = position(s, tag);
    if (at == ways_) return false;
    std::memmove(s + at, s + at + 1, (ways_ - 1 - at) * sizeof(Tag));
    s[ways_ - 1] = kNoTag;
    return true;
  }

  // The same line under another tag.
  bool rename(std::uint64_t place, Tag from, Tag to) {
    Tag* s = set(place);
    const unsigned at = position(s, from);
    if (at == ways_) return false;
    s[at] = to;
    return true;
  }

  // Soon this place's set will be looked at; what insert() would push out of it now.
  void prefetch(std::uint64_t place) const { prefetch_line(set(place)); }
  Tag oldest(std::uint64_t place) const { return set(place)[ways_ - 1]; }

  std::uint64_t sets() const { return mask_ + 1; }
  std::uint64_t lines() const { return tags_.size(); }

 private:
  Tag* set(std::uint64_t place) { return tags_.data() + (place & mask_) * ways_; }
  const Tag* set(std::uint64_t place) const { return tags_.data() + (place & mask_) * ways_; }
  // Where in the set the tag is; `ways_`: nowhere. Four at a time: most questions are asked of a
  // set that does not have it.
  unsigned position(const Tag* s, Tag tag) const {
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    unsigned i = 0;
    for (; i + 4 <= ways_; i += 4) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i));
      const int equal = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, wanted)));
      if (equal != 0)
        return i + static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(equal)));
    }
    while (i < ways_ && s[i] != tag) ++i;
    return i;
  }
  // Those before `from` move up by one. A call of memmove costs more than the move.
  static void to_front(Tag* s, unsigned from, Tag tag) {
    for (; from >= 4; from -= 4) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + from - 4));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(s + from - 3), four);
    }
    if (from >= 3) s[3] = s[2];
    if (from >= 2) s[2] = s[1];
    if (from >= 1) s[1] = s[0];
    s[0] = tag;
  }

  unsigned ways_;
  std::uint64_t mask_;
  std::vector<Tag, HugePages<Tag>> tags_;
};

}  // namespace steward::sim
