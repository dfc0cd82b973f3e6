// The tags of one set-associative cache, least recently used out first. A set lies in order of use,
// so that the commonest hit is one comparison and the victim is the last.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
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
      : ways_(ways),
        in_fours_(ways % 4 == 0 && ways < 64),
        mask_(bytes / (std::uint64_t{ways} * line) - 1),
        tags_(bytes / line, kNoTag) {}

  // Also makes it the set's most recently used.
  bool find(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    return s[0] == tag || find_behind_first(s, tag);
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
    close(s, at);
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
  [[gnu::noinline]] bool find_behind_first(Tag* s, Tag tag) {
    if (ways_ > 1 && s[1] == tag) {  // two lines in turn, as data and its metadata
      s[1] = s[0];
      s[0] = tag;
      return true;
    }
    const unsigned at = position(s, tag);
    if (at == ways_) return false;
    to_front(s, at, tag);
    return true;
  }
  // Nothing below may depend on where in a set a tag is by a branch: that is as good as random, and a
  // wrong guess costs the host more than all of a set. So four tags at a time, and all of them.

  // Where in the set the tag is; `ways_`: nowhere.
  unsigned position(const Tag* s, Tag tag) const {
    if (!in_fours_) return static_cast<unsigned>(std::find(s, s + ways_, tag) - s);
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    std::uint64_t found = std::uint64_t{1} << ways_;
    for (unsigned i = 0; i < ways_; i += 4) {
      const __m128i equal = _mm_cmpeq_epi32(load(s + i), wanted);
      found |= static_cast<std::uint64_t>(_mm_movemask_ps(_mm_castsi128_ps(equal))) << i;
    }
    return static_cast<unsigned>(std::countr_zero(found));
  }
  // Those before `from` move up by one.
  void to_front(Tag* s, unsigned from, Tag tag) const {
    if (!in_fours_) {
      std::copy_backward(s, s + from, s + from + 1);
      s[0] = tag;
      return;
    }
    const __m128i last = _mm_set1_epi32(static_cast<int>(from));
    for (unsigned i = ways_ - 4; i != 0; i -= 4) {
      const __m128i stay = _mm_cmpgt_epi32(lanes(i), last);
      store(s + i, choose(stay, load(s + i), load(s + i - 1)));
    }
    const __m128i first = load(s);
    const __m128i moved =
        _mm_or_si128(_mm_slli_si128(first, 4), _mm_cvtsi32_si128(static_cast<int>(tag)));
    store(s, choose(_mm_cmpgt_epi32(lanes(0), last), first, moved));
  }
  // Those behind `at` move down by one.
  void close(Tag* s, unsigned at) const {
    if (!in_fours_) {
      std::copy(s + at + 1, s + ways_, s + at);
      s[ways_ - 1] = kNoTag;
      return;
    }
    const __m128i gap = _mm_set1_epi32(static_cast<int>(at));
    unsigned i = 0;
    for (; i + 4 < ways_; i += 4) {
      const __m128i stay = _mm_cmplt_epi32(lanes(i), gap);
      store(s + i, choose(stay, load(s + i), load(s + i + 1)));
    }
    const __m128i final = load(s + i);
    const __m128i moved = _mm_or_si128(_mm_srli_si128(final, 4),
                                       _mm_set_epi32(static_cast<int>(kNoTag), 0, 0, 0));
    store(s + i, choose(_mm_cmplt_epi32(lanes(i), gap), final, moved));
  }

  static __m128i load(const Tag* t) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(t)); }
  static void store(Tag* t, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(t), v); }
  // The places i to i + 3.
  static __m128i lanes(unsigned i) {
    return _mm_add_epi32(_mm_set1_epi32(static_cast<int>(i)), _mm_set_epi32(3, 2, 1, 0));
  }
  static __m128i choose(__m128i mask, __m128i then, __m128i otherwise) {
    return _mm_or_si128(_mm_and_si128(mask, then), _mm_andnot_si128(mask, otherwise));
  }

  unsigned ways_;
  bool in_fours_;
  std::uint64_t mask_;
  std::vector<Tag, HugePages<Tag>> tags_;
};

}  // namespace steward::sim
