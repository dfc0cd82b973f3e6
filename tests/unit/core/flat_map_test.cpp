// The hash map under everything: against std::map, and where open addressing goes wrong.
#include "core/memory/flat_map.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "analyze/heap_pages.h"
#include "analyze/random.h"

namespace steward::test {
namespace {

template <class K>
class FlatMapOf : public testing::Test {};
using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FlatMapOf, Keys);

template <class K, class V>
std::map<K, V> contents(const FlatMap<K, V>& map) {
  std::map<K, V> all;
  map.for_each([&](K k, const V& v) { EXPECT_TRUE(all.emplace(k, v).second) << "twice: " << k; });
  return all;
}

TYPED_TEST(FlatMapOf, RandomUseMatchesStdMap) {
  using K = TypeParam;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    analyze::Random random(seed);
    analyze::HeapPages pages;
    Pool pool(pages);
    {
      FlatMap<K, int> map(pool);
      std::map<K, int> model;
      // Few keys: insertions and deletions meet; many: the table grows and shrinks. Multiples of a
      // power of two: what addresses look like.
      const std::uint64_t keys = std::uint64_t{4} << random.below(9);
      const std::uint64_t stride = std::uint64_t{1} << random.below(13);
      unsigned grow = 70;
      for (int step = 0; step < 2'000; ++step) {
        if (step % 500 == 499) grow = 100 - grow;
        const auto key = static_cast<K>(random.below(keys) * stride);
        if (random.below(100) < grow) {
          const int fresh = step;
          ASSERT_EQ(map.get(key, fresh), model.try_emplace(key, fresh).first->second);
          map.get(key) = model[key] = -step;
        } else {
          ASSERT_EQ(map.erase(key), model.erase(key) == 1);
        }
        const auto other = static_cast<K>(random.below(keys) * stride);
        const int* found = map.find(other);
        ASSERT_EQ(found != nullptr, model.count(other) == 1);
        if (found != nullptr) {
          ASSERT_EQ(*found, model[other]);
        }
        ASSERT_EQ(map.size(), model.size());
      }
      ASSERT_EQ(contents(map), model);
    }
    ASSERT_EQ(pool.in_use(), 0u);
  }
}

TEST(FlatMap, NothingIsHeldUntilAKeyIs) {
  analyze::HeapPages pages;
  Pool pool(pages);
  FlatMap<std::uint64_t, int> map(pool);
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(7), nullptr);
  EXPECT_FALSE(map.erase(7));
  EXPECT_EQ(pool.in_use(), 0u);
}

// Where a key goes in a table of 16 places, seen from outside: the place of a lone key.
class Places {
 public:
  using Map = FlatMap<std::uint64_t, std::uint64_t>;
  Places() : pool_(pages_), map_(pool_) {
    for (std::uint64_t k = 0; k < 8; ++k) map_.get(k);  // 16 places; a table of 16 stays
    for (std::uint64_t k = 0; k < 8; ++k) map_.erase(k);
    std::map<std::uint64_t, const std::uint64_t*> at;
    for (std::uint64_t k = 0; k < 400; ++k) {
      at[k] = &map_.get(k);
      map_.erase(k);
    }
    const std::uint64_t* first = at[0];
    for (const auto& [k, p] : at) first = std::min(first, p);
    for (const auto& [k, p] : at) {
      const auto place = static_cast<std::size_t>(p - first) / 2;  // an entry is two words
      EXPECT_LT(place, 16u);
      keys_[place].push_back(k);
    }
  }
  Map& map() { return map_; }
  std::uint64_t key(std::size_t place, std::size_t nth) { return keys_[place].at(nth); }

 private:
  analyze::HeapPages pages_;
  Pool pool_;
  Map map_;
  std::map<std::size_t, std::vector<std::uint64_t>> keys_;
};

TEST(FlatMap, DeletionClosesGapsAcrossTheEndOfTheTable) {
  Places places;
  auto& map = places.map();
  // Five keys whose probing begins in the last two places and the first: some sit past the end.
  std::vector<std::uint64_t> keys = {places.key(14, 0), places.key(15, 0), places.key(15, 1),
                                     places.key(15, 2), places.key(0, 0)};
  std::sort(keys.begin(), keys.end());
  auto inserted = keys;
  unsigned orders = 0;
  do {
    auto erased = keys;
    do {
      for (const auto k : inserted) map.get(k) = k + 1;
      for (std::size_t i = 0; i < erased.size(); ++i) {
        ASSERT_TRUE(map.erase(erased[i]));
        ASSERT_EQ(map.find(erased[i]), nullptr);
        for (std::size_t j = i + 1; j < erased.size(); ++j) {
          ASSERT_NE(map.find(erased[j]), nullptr) << "lost after erasing " << erased[i];
          ASSERT_EQ(*map.find(erased[j]), erased[j] + 1);
        }
      }
      ASSERT_TRUE(map.empty());
      ++orders;
    } while (std::next_permutation(erased.begin(), erased.end()));
  } while (std::next_permutation(inserted.begin(), inserted.end()));
  EXPECT_EQ(orders, 120u * 120u);
}

TEST(FlatMap, DeletionLeavesAKeyAtItsHome) {
  // a, b at 3 and c at 4, which b pushed to 5: erasing a moves b to 3 and c to 4; erasing b then
  // must not move c before its home, where it would not be found.
  Places places;
  auto& map = places.map();
  const auto a = places.key(3, 0), b = places.key(3, 1), c = places.key(4, 0);
  for (const auto k : {a, b, c}) map.get(k) = k;
  map.erase(a);
  map.erase(b);
  ASSERT_NE(map.find(c), nullptr);
  EXPECT_EQ(*map.find(c), c);
}

TEST(FlatMap, MemoryFollowsWhatIsHeld) {
  analyze::HeapPages pages;
  Pool pool(pages);
  FlatMap<std::uint64_t, std::uint64_t> map(pool);
  for (std::uint64_t k = 0; k < 100'000; ++k) map.get(k * 64) = k;
  const std::size_t full = pool.in_use();
  for (std::uint64_t k = 3; k < 100'000; ++k) ASSERT_TRUE(map.erase(k * 64));
  EXPECT_EQ(map.size(), 3u);
  EXPECT_LT(pool.in_use(), full / 1'000);
  for (std::uint64_t k = 0; k < 3; ++k) EXPECT_EQ(*map.find(k * 64), k);
  map.clear();
  EXPECT_EQ(pool.in_use(), 0u);
  map.get(5) = 6;  // still of use
  EXPECT_EQ(*map.find(5), 6u);
}

TEST(FlatMap, MovingTakesTheTable) {
  analyze::HeapPages pages;
  Pool pool(pages);
  {
    FlatMap<std::uint32_t, int> a(pool);
    for (std::uint32_t k = 0; k < 50; ++k) a.get(k) = static_cast<int>(k);
    const FlatMap<std::uint32_t, int> b(std::move(a));
    EXPECT_EQ(b.size(), 50u);
    EXPECT_EQ(*b.find(49), 49);
  }
  EXPECT_EQ(pool.in_use(), 0u);
}

}  // namespace
}  // namespace steward::test
