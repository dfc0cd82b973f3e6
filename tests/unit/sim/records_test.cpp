// The compact forms of what a line's records hold, against the plain ones.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "sim/cache/byte_clocks.h"
#include "sim/cache/copy_list.h"

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

}  // namespace
}  // namespace steward::sim
