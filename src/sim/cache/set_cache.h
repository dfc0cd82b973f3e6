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
      : ways_(ways), mask_(bytes / (std::uint64_t{ways} * line) - 1), tags_(bytes / line, kNoTag) {}

  // Also makes it the set's most recently used.
  bool find(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    return s[0] == tag || find_behind_first(s, tag);
  }

  // The tag that had to go, or kNoTag.
  Tag insert(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    const Tag victim = s[ways_ - 1];
    if (ways_ == 8) {
      Fours<2>(s).push_up(s, tag);
    } else if (ways_ == 16) {
      Fours<4>(s).push_up(s, tag);
    } else {
      to_front(s, ways_ - 1, tag);
    }
    return victim;
  }

  bool erase(std::uint64_t place, Tag tag) {
    Tag* s = set(place);
    if (ways_ == 8) return Fours<2>(s).erase(s, tag);
    if (ways_ == 16) return Fours<4>(s).erase(s, tag);
    const unsigned at = position(s, tag);
    if (at == ways_) return false;
    std::copy(s + at + 1, s + ways_, s + at);
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
  [[gnu::noinline]] bool find_behind_first(Tag* s, Tag tag) {
    if (ways_ > 1 && s[1] == tag) {  // two lines in turn, as data and its metadata
      s[1] = s[0];
      s[0] = tag;
      return true;
    }
    if (ways_ == 8) return Fours<2>(s).promote(s, tag);
    if (ways_ == 16) return Fours<4>(s).promote(s, tag);
    const unsigned at = position(s, tag);
    if (at == ways_) return false;
    to_front(s, at, tag);
    return true;
  }

  // Nothing below may depend on where in a set a tag is by a branch: that is as good as random, and
  // a wrong guess costs the host more than all of a set. So sets of eight and of sixteen, which
  // caches mostly have, are looked at and moved as a whole.

  // Where in the set the tag is; `ways_`: nowhere.
  unsigned position(const Tag* s, Tag tag) const {
    return static_cast<unsigned>(std::find(s, s + ways_, tag) - s);
  }
  // Those before `from` move up by one.
  static void to_front(Tag* s, unsigned from, Tag tag) {
    std::copy_backward(s, s + from, s + from + 1);
    s[0] = tag;
  }

  // A set of 4 * N tags, in registers.
  template <unsigned N>
  class Fours {
   public:
    [[gnu::always_inline]] explicit Fours(const Tag* s) {
#pragma GCC unroll 4
      for (unsigned i = 0; i < N; ++i) {
        fours_[i] = _mm_load_si128(reinterpret_cast<const __m128i*>(s) + i);
      }
    }

    [[gnu::always_inline]] bool promote(Tag* s, Tag tag) const {
      const unsigned at = position(tag);
      if (at == 4 * N) return false;
      to_front(s, at, tag);
      return true;
    }
    [[gnu::always_inline]] bool erase(Tag* s, Tag tag) const {
      const unsigned at = position(tag);
      if (at == 4 * N) return false;
      close(s, at);
      return true;
    }
    [[gnu::always_inline]] void push_up(Tag* s, Tag tag) const {
      __m128i before = _mm_cvtsi32_si128(static_cast<int>(tag));
#pragma GCC unroll 4
      for (unsigned i = 0; i < N; ++i) {
        store(s, i, _mm_or_si128(_mm_slli_si128(fours_[i], 4), before));
        before = _mm_srli_si128(fours_[i], 12);
      }
    }

   private:
    [[gnu::always_inline]] unsigned position(Tag tag) const {
      const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
      __m128i equal[4] = {};
#pragma GCC unroll 4
      for (unsigned i = 0; i < N; ++i) equal[i] = _mm_cmpeq_epi32(fours_[i], wanted);
      const __m128i bytes =
          _mm_packs_epi16(_mm_packs_epi32(equal[0], equal[1]), _mm_packs_epi32(equal[2], equal[3]));
      const auto found = static_cast<unsigned>(_mm_movemask_epi8(bytes));
      return static_cast<unsigned>(std::countr_zero(found | 1u << 4 * N));
    }
    [[gnu::always_inline]] void to_front(Tag* s, unsigned from, Tag tag) const {
      // Lane i of a block is all ones if its place is at most `from`.
      const Tag* const moves = kOnesThenZeros + 15 - from;
      __m128i before = _mm_cvtsi32_si128(static_cast<int>(tag));
#pragma GCC unroll 4
      for (unsigned i = 0; i < N; ++i) {
        const __m128i up = _mm_or_si128(_mm_slli_si128(fours_[i], 4), before);
        before = _mm_srli_si128(fours_[i], 12);
        store(s, i, choose(load(moves + 4 * i), up, fours_[i]));
      }
    }
    [[gnu::always_inline]] void close(Tag* s, unsigned at) const {
      // Lane i is all ones if its place is before `at`.
      const Tag* const stays = kOnesThenZeros + 16 - at;
#pragma GCC unroll 4
      for (unsigned i = 0; i < N; ++i) {
        const __m128i behind = i + 1 < N ? _mm_slli_si128(fours_[i + 1], 12)
                                         : _mm_set_epi32(static_cast<int>(kNoTag), 0, 0, 0);
        const __m128i down = _mm_or_si128(_mm_srli_si128(fours_[i], 4), behind);
        store(s, i, choose(load(stays + 4 * i), fours_[i], down));
      }
    }

    static __m128i load(const Tag* t) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(t));
    }
    static void store(Tag* s, unsigned i, __m128i v) {
      _mm_store_si128(reinterpret_cast<__m128i*>(s) + i, v);
    }
    static __m128i choose(__m128i mask, __m128i then, __m128i otherwise) {
      return _mm_or_si128(_mm_and_si128(mask, then), _mm_andnot_si128(mask, otherwise));
    }

    __m128i fours_[N];
  };

  static constexpr Tag kOnes = 0xffff'ffff;
  alignas(64) static constexpr Tag kOnesThenZeros[32] = {kOnes, kOnes, kOnes, kOnes, kOnes, kOnes,
                                                         kOnes, kOnes, kOnes, kOnes, kOnes, kOnes,
                                                         kOnes, kOnes, kOnes, kOnes};

  unsigned ways_;
  std::uint64_t mask_;
  std::vector<Tag, HugePages<Tag>> tags_;
};

}  // namespace steward::sim
