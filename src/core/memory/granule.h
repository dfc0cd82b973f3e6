// State for the bytes of one aligned 8-byte granule.
//
// A granule starts as one segment. An access that covers only part of a segment cuts it, and both
// parts inherit its state, so histories are exact to the byte while the usual variable, accessed
// always at the same size, costs one state.
//
// State: default-constructed is empty; `State clone(Pool&) const`, `void destroy(Pool&)`,
// `bool empty() const`; bytewise movable.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "core/memory/pool.h"

namespace steward {

inline constexpr unsigned kGranule = 8;

template <class State>
class Granule {
 public:
  Granule() : whole_() {}

  // The states of bytes [from, to), cut out first: f(State&, segment begin, segment end).
  template <class F>
  [[gnu::always_inline]] void visit(Pool& pool, unsigned from, unsigned to, F&& f) {
    const unsigned ends = 1u << from | 1u << to;
    if (((cuts_ | kNext) & ends) != ends) cut(pool, from, to);
    State* s = cuts_ == kWhole ? &whole_ : parts_ + index(from);
    for (unsigned b = from; b < to; ++s) {
      const unsigned e = segment_end(b);
      f(*s, b, e);
      b = e;
    }
  }

  // Every segment that overlaps [from, to), as it is.
  template <class F>
  void visit_segments(unsigned from, unsigned to, F&& f) const {
    for (unsigned b = segment_begin(from); b < to;) {
      const unsigned e = segment_end(b);
      f(states()[index(b)], b, e);
      b = e;
    }
  }

  // The state of all bytes, or null: they were told apart.
  const State* whole() const { return cuts_ == kWhole ? &whole_ : nullptr; }

  bool empty() const {
    for (unsigned i = 0; i < count(); ++i) {
      if (!states()[i].empty()) return false;
    }
    return true;
  }

  void reset(Pool& pool) {
    for (unsigned i = 0; i < count(); ++i) states()[i].destroy(pool);
    if (cuts_ != kWhole) pool.deallocate(parts_, count() * sizeof(State));
    cuts_ = kWhole;
    new (&whole_) State();
  }

 private:
  static constexpr std::uint8_t kWhole = 1;          // bit i: a segment begins at byte i
  static constexpr unsigned kNext = 1u << kGranule;  // where the next granule's first one does

  // Of a byte. std::popcount is a call on processors that may lack the instruction.
  static unsigned ones(unsigned byte) {
    byte -= byte >> 1 & 0x55;
    byte = (byte & 0x33) + (byte >> 2 & 0x33);
    return (byte + (byte >> 4)) & 0x0f;
  }
  unsigned count() const { return ones(cuts_); }
  unsigned index(unsigned byte) const { return ones(cuts_ & ((2u << byte) - 1)) - 1; }
  unsigned segment_begin(unsigned byte) const {
    return 31u - static_cast<unsigned>(std::countl_zero(cuts_ & ((2u << byte) - 1)));
  }
  unsigned segment_end(unsigned begin) const {
    return begin + 1 + static_cast<unsigned>(std::countr_zero((cuts_ | kNext) >> (begin + 1)));
  }
  State* states() { return cuts_ == kWhole ? &whole_ : parts_; }
  const State* states() const { return cuts_ == kWhole ? &whole_ : parts_; }

  [[gnu::noinline]] void cut(Pool& pool, unsigned from, unsigned to) {
    cut(pool, from);
    cut(pool, to);
  }
  void cut(Pool& pool, unsigned at) {
    if (((cuts_ | kNext) >> at & 1) != 0) return;
    const unsigned n = count();
    const unsigned split = index(at);
    auto* parts = static_cast<State*>(pool.allocate((n + 1) * sizeof(State)));
    State* old = states();
    std::memcpy(static_cast<void*>(parts), old, (split + 1) * sizeof(State));
    std::memcpy(static_cast<void*>(parts + split + 2), old + split + 1,
                (n - split - 1) * sizeof(State));
    new (parts + split + 1) State(parts[split].clone(pool));
    if (cuts_ != kWhole) pool.deallocate(parts_, n * sizeof(State));
    parts_ = parts;
    cuts_ |= static_cast<std::uint8_t>(1u << at);
  }

  union {
    State whole_;
    State* parts_;
  };
  std::uint8_t cuts_ = kWhole;
};

}  // namespace steward
