// The compact forms of what a line's records hold, against the plain ones.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

#include "sim/cache/byte_clocks.h"
#include "sim/cache/copy_list.h"
#include "sim/cache/set_cache.h"
#include "sim/radish/clock_table.h"
#include "sim/radish/history.h"
#include "sim/run/heap_pages.h"

namespace steward::sim {
namespace {

// Any bytes, or one aligned item, as accesses have them.
Bytes some_bytes(std::mt19937& random) {
  if (random() % 4 == 0) return Bytes{random()} << 32 | random();
  const unsigned size = 1u << random() % 7;
  return bytes_from(static_cast<unsigned>(random() % (kMaxLine / size)) * size, size);
}

TEST(ByteClocks, IsAClockForEachByte) {
  std::mt19937 random(1);
  for (unsigned values = 1; values <= 5; ++values) {
    for (int round = 0; round < 200; ++round) {
      ByteClocks clocks;
      std::array<Clock, kMaxLine> plain{};
      Bytes valid = 0;
      for (int step = 0; step < 40; ++step) {
        const Bytes where = some_bytes(random);
        const Clock clock = 1 + static_cast<Clock>(random() % values);
        clocks.set(where, clock, valid & ~where);
        for_each_byte(where, [&](unsigned b) { plain[b] = clock; });
        valid |= where;
        if (random() % 8 == 0) valid &= some_bytes(random);

        const Clock seen = static_cast<Clock>(random() % (values + 1));
        Bytes after = 0;
        for_each_byte(valid, [&](unsigned b) {
          ASSERT_EQ(clocks[b], plain[b]);
          if (plain[b] > seen) after |= Bytes{1} << b;
          Bytes same = 0;
          for_each_byte(valid, [&](unsigned o) {
            if (plain[o] == plain[b]) same |= Bytes{1} << o;
          });
          ASSERT_EQ(clocks.same(b, valid), same);
        });
        ASSERT_EQ(clocks.after(seen, valid), after);
        Bytes eights = 0;  // those of which all bytes are valid
        for (unsigned b = 0; b < kMaxLine; b += 8) {
          if ((~valid & bytes_from(b, 8)) == 0) eights |= bytes_from(b, 8);
        }
        ASSERT_TRUE(in_eights(eights));
        for (unsigned b = 0; b < kMaxLine && clocks.surely_in_eights(eights); ++b) {
          if ((eights >> b & 1) != 0) {
            ASSERT_EQ(plain[b], plain[b & ~7u]);
          }
        }
      }
    }
  }
}

TEST(CopyList, IsAListWithTheLatestFirst) {
  std::mt19937 random(2);
  for (unsigned most : {1u, 2u, 3u, 5u, 20u}) {
    CopyList list;
    std::vector<std::uint32_t> plain;
    for (std::uint32_t step = 0; step < 2000; ++step) {
      if (plain.size() < most && (plain.empty() || random() % 2 == 0)) {
        list.add(step);
        plain.insert(plain.begin(), step);
      } else {
        const std::size_t at = random() % plain.size();
        list.remove(plain[at]);
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
      }
      ASSERT_TRUE(std::equal(list.begin(), list.end(), plain.begin(), plain.end()));
    }
    CopyList moved = std::move(list);
    ASSERT_TRUE(std::equal(moved.begin(), moved.end(), plain.begin(), plain.end()));
  }
}

TEST(SetCache, IsAListInOrderOfUse) {
  std::mt19937 random(3);
  for (unsigned ways : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 64u, 68u}) {
    SetCache cache(std::uint64_t{2} * ways * 64, ways, 64);
    std::array<std::vector<Tag>, 2> plain;  // by set
    plain.fill(std::vector<Tag>(ways, kNoTag));
    for (int step = 0; step < 5000; ++step) {
      const std::uint64_t place = random() % 8;
      std::vector<Tag>& set = plain[place % 2];
      const Tag tag = static_cast<Tag>(random() % (2 * ways));
      const auto at = std::find(set.begin(), set.end(), tag);
      const bool there = at != set.end();
      switch (random() % 4) {
        case 0:
          ASSERT_EQ(cache.erase(place, tag), there);
          if (there) {
            set.erase(at);
            set.push_back(kNoTag);
          }
          break;
        case 1:
          ASSERT_EQ(cache.rename(place, tag, tag + 2 * ways), there);
          if (there) {
            *at = tag + 2 * ways;
            ASSERT_TRUE(cache.rename(place, tag + 2 * ways, tag));
            *at = tag;
          }
          break;
        default:
          ASSERT_EQ(cache.find(place, tag), there);
          if (there) {
            std::rotate(set.begin(), at, at + 1);
          } else {
            ASSERT_EQ(cache.oldest(place), set.back());
            ASSERT_EQ(cache.insert(place, tag), set.back());
            set.pop_back();
            set.insert(set.begin(), tag);
          }
      }
      ASSERT_EQ(cache.oldest(place), set.back());
    }
  }
}

// Histories that share their reads, each with a plain map beside it.
TEST(History, KeepsEachThreadsLatestReadAndSharesIt) {
  HeapPages pages;
  Pool pool(pages);
  std::mt19937 random(4);
  const std::size_t empty = pool.in_use();
  for (std::uint32_t threads : {1u, 2u, 3u, 4u, 9u, 40u}) {
    constexpr std::size_t kHistories = 6;
    std::array<History, kHistories> histories;
    std::array<std::map<std::uint32_t, Clock>, kHistories> plain;
    for (int step = 0; step < 4000; ++step) {
      const std::size_t i = random() % kHistories;
      const std::size_t o = random() % kHistories;
      const unsigned what = random() % 16;
      if (what == 0) {
        histories[i].clear_reads(pool);
        plain[i].clear();
      } else if (what < 4 && i != o) {
        histories[i].become(pool, histories[o]);
        plain[i] = plain[o];
        ASSERT_TRUE(histories[i].same(histories[o]));
      } else {
        const std::uint32_t slot = random() % threads;
        const Clock clock = 1 + static_cast<Clock>(random() % 50);
        histories[i].put_read(pool, Epoch{Slot{slot}, clock});
        plain[i][slot] = std::max(plain[i][slot], clock);
      }
      for (std::size_t h = 0; h < kHistories; ++h) {
        std::map<std::uint32_t, Clock> found;
        histories[h].for_each_read([&](Epoch e) {
          ASSERT_TRUE(found.emplace(raw(e.slot()), e.clock()).second);
        });
        ASSERT_EQ(found, plain[h]);
        ASSERT_TRUE(!histories[h].same(histories[o]) || plain[h] == plain[o]);
      }
    }
    for (History& h : histories) h.destroy(pool);
    EXPECT_EQ(pool.in_use(), empty);
  }
}

// As many clocks as there are codes; a new one takes the place of one that nobody refers to.
TEST(ClockTable, CountsReferences) {
  Config config;
  config.clock_bits = 3;
  ClockTable table(config);
  table.restart(1);
  for (Clock c = 1; c <= 7; ++c) {
    ASSERT_TRUE(table.advance(c));
    table.hold(c);
    table.add(c, 2);
  }
  EXPECT_FALSE(table.advance(8));
  EXPECT_FALSE(table.fits(8, true, 1));
  EXPECT_TRUE(table.fits(3, true, 1));
  table.drop(3, 1);
  EXPECT_FALSE(table.fits(8, true, 1));
  table.drop(3, 1);
  EXPECT_TRUE(table.fits(8, true, 1));
  EXPECT_TRUE(table.advance(8));
  table.hold(8);
  EXPECT_FALSE(table.fits(9, true, 1));  // 8 is the thread's own time: kept without a reference
  table.restart(20);
  EXPECT_TRUE(table.advance(20));
}

}  // namespace
}  // namespace steward::sim
