// Sets of locks, each stored once and known by a number, so that equal sets are equal numbers and
// the intersection of two is computed once (section 4.2, after Eraser).
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "core/memory/flat_map.h"
#include "core/memory/pool_allocator.h"

namespace steward::lockset {

enum class SetId : std::uint32_t {};
inline constexpr SetId kEmptySet{0};

// No lock, but a member of the set of every atomic access: atomic accesses exclude each other as if
// each held one lock that no plain access holds.
inline constexpr std::uint64_t kAtomicity = std::uint64_t{1} << 63;

class LockSets {
 public:
  using Lock = std::uint64_t;

  explicit LockSets(Pool& pool)
      : pool_(&pool),
        sets_(PoolAllocator<Set>(pool)),
        by_hash_(pool),
        intersections_(pool),
        scratch_(PoolAllocator<Lock>(pool)) {
    sets_.push_back({});
  }
  ~LockSets() {
    for (const Set& s : sets_) {
      if (s.size != 0) pool_->deallocate(s.locks, s.size * sizeof(Lock));
    }
  }

  std::span<const Lock> members(SetId s) const {
    const Set& set = sets_[static_cast<std::uint32_t>(s)];
    return {set.locks, set.size};
  }

  // `locks` ascending, each once.
  SetId intern(std::span<const Lock> locks) {
    if (locks.empty()) return kEmptySet;
    assert(std::is_sorted(locks.begin(), locks.end()));
    std::uint32_t& head = by_hash_.get(hash(locks), 0);
    for (std::uint32_t i = head; i != 0; i = sets_[i].next) {
      if (std::ranges::equal(members(SetId{i}), locks)) return SetId{i};
    }
    auto* copy = static_cast<Lock*>(pool_->allocate(locks.size_bytes()));
    std::ranges::copy(locks, copy);
    const auto id = static_cast<std::uint32_t>(sets_.size());
    sets_.push_back({copy, static_cast<std::uint32_t>(locks.size()), head});
    head = id;
    return SetId{id};
  }

  SetId intersect(SetId a, SetId b) {
    if (a == b) return a;
    if (a == kEmptySet || b == kEmptySet) return kEmptySet;
    if (a > b) std::swap(a, b);
    const std::uint64_t key = static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b);
    if (const std::uint32_t* known = intersections_.find(key)) {
      ++cached_;
      return SetId{*known};
    }
    ++computed_;
    scratch_.clear();
    std::ranges::set_intersection(members(a), members(b), std::back_inserter(scratch_));
    const SetId common = intern(scratch_);
    intersections_.get(key) = static_cast<std::uint32_t>(common);
    return common;
  }

  std::size_t size() const { return sets_.size(); }
  std::uint64_t computed() const { return computed_; }
  std::uint64_t cached() const { return cached_; }

 private:
  struct Set {
    Lock* locks = nullptr;
    std::uint32_t size = 0;
    std::uint32_t next = 0;  // the set before with the same hash; 0: none
  };

  static std::uint64_t hash(std::span<const Lock> locks) {
    std::uint64_t h = locks.size();
    for (const Lock l : locks) h = (h ^ l) * 0x9e37'79b9'7f4a'7c15u;
    return h >> 1;  // never the map's own key
  }

  Pool* pool_;
  std::vector<Set, PoolAllocator<Set>> sets_;
  FlatMap<std::uint64_t, std::uint32_t> by_hash_;
  FlatMap<std::uint64_t, std::uint32_t> intersections_;
  std::vector<Lock, PoolAllocator<Lock>> scratch_;
  std::uint64_t computed_ = 0;
  std::uint64_t cached_ = 0;
};

}  // namespace steward::lockset
