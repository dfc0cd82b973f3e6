// Detector memory: blocks never overlap, what is freed is used again, what is counted is right.
#include "core/memory/pool.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

#include "core/memory/pool_allocator.h"

#include "analyze/random.h"

namespace steward::test {
namespace {

// Knows what is out, so that a chunk given back twice or not at all shows.
class CountedPages final : public PageSource {
 public:
  ~CountedPages() { EXPECT_TRUE(out_.empty()) << "chunks not given back"; }
  void* map(std::size_t bytes) override {
    void* p = ::operator new(bytes);
    std::memset(p, 0xa5, bytes);  // chunks need not be zero
    out_[p] = bytes;
    return p;
  }
  void unmap(void* p, std::size_t bytes) override {
    const auto found = out_.find(p);
    ASSERT_NE(found, out_.end());
    EXPECT_EQ(found->second, bytes);
    out_.erase(found);
    ::operator delete(p);
  }
  std::size_t chunks() const { return out_.size(); }

 private:
  std::map<void*, std::size_t> out_;
};

TEST(Pool, MapsNothingUntilAsked) {
  CountedPages pages;
  Pool pool(pages);
  EXPECT_EQ(pages.chunks(), 0u);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(Pool, BlocksOfEverySizeAreAlignedAndApart) {
  CountedPages pages;
  Pool pool(pages);
  struct Block {
    unsigned char* p;
    std::size_t bytes;
  };
  std::vector<Block> blocks;
  for (std::size_t bytes = 0; bytes < 20'000; bytes += bytes < 600 ? 1 : 97) {
    auto* p = static_cast<unsigned char*>(pool.allocate(bytes));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % 16, 0u) << bytes;
    std::memset(p, static_cast<int>(bytes % 251), bytes);
    blocks.push_back({p, bytes});
  }
  for (const Block& b : blocks) {
    for (std::size_t i = 0; i < b.bytes; ++i) ASSERT_EQ(b.p[i], b.bytes % 251) << b.bytes;
  }
  for (const Block& b : blocks) pool.deallocate(b.p, b.bytes);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(Pool, AFreedBlockServesItsSizeClassAgain) {
  CountedPages pages;
  Pool pool(pages);
  for (const std::size_t bytes : {1u, 16u, 17u, 128u, 129u, 160u, 161u, 4097u, 16'384u}) {
    void* a = pool.allocate(bytes);
    void* b = pool.allocate(bytes);
    pool.deallocate(a, bytes);
    EXPECT_EQ(pool.allocate(bytes), a) << bytes;
    pool.deallocate(a, bytes);
    pool.deallocate(b, bytes);
  }
}

TEST(Pool, LargeBlocksComeFromTheSourceAndGoBackAtOnce) {
  CountedPages pages;
  Pool pool(pages);
  void* p = pool.allocate(16 * 1024 + 1);
  EXPECT_EQ(pages.chunks(), 1u);
  pool.deallocate(p, 16 * 1024 + 1);
  EXPECT_EQ(pages.chunks(), 0u);
}

TEST(Pool, CountsBytesInUseAndThePeak) {
  CountedPages pages;
  Pool pool(pages);
  void* a = pool.allocate(100);
  void* b = pool.allocate(50'000);
  EXPECT_EQ(pool.in_use(), 50'100u);
  pool.deallocate(b, 50'000);
  EXPECT_EQ(pool.in_use(), 100u);
  EXPECT_EQ(pool.peak(), 50'100u);
  pool.deallocate(a, 100);
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_EQ(pool.peak(), 50'100u);
}

TEST(Pool, MakeAndDestroyRunConstructorAndDestructor) {
  struct Noisy {
    Noisy(int& alive, int by) : n(&alive) { *n += by; }
    ~Noisy() { --*n; }
    int* n;
  };
  CountedPages pages;
  Pool pool(pages);
  int alive = 0;
  auto* p = pool.make<Noisy>(alive, 1);
  EXPECT_EQ(alive, 1);
  pool.destroy(p);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(Pool, RandomUseKeepsEveryBlocksContents) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CountedPages pages;
    Pool pool(pages);
    analyze::Random random(seed);
    struct Block {
      unsigned char* p;
      std::size_t bytes;
      unsigned char mark;
    };
    std::vector<Block> live;
    std::size_t bytes_live = 0;
    for (int step = 0; step < 5'000; ++step) {
      if (live.empty() || random.below(100) < 55) {
        const std::size_t bytes = random.below(random.below(20) == 0 ? 40'000 : 300);
        auto* p = static_cast<unsigned char*>(pool.allocate(bytes));
        const auto mark = static_cast<unsigned char>(random.below(256));
        std::memset(p, mark, bytes);
        live.push_back({p, bytes, mark});
        bytes_live += bytes;
      } else {
        const std::size_t i = random.below(live.size());
        const Block b = live[i];
        for (std::size_t k = 0; k < b.bytes; ++k) ASSERT_EQ(b.p[k], b.mark);
        pool.deallocate(b.p, b.bytes);
        bytes_live -= b.bytes;
        live[i] = live.back();
        live.pop_back();
      }
      ASSERT_EQ(pool.in_use(), bytes_live);
    }
    for (const Block& b : live) pool.deallocate(b.p, b.bytes);
    EXPECT_EQ(pool.in_use(), 0u);
  }
}

TEST(PoolAllocator, StandardContainersLiveInThePool) {
  CountedPages pages;
  Pool pool(pages);
  {
    std::vector<int, PoolAllocator<int>> v{PoolAllocator<int>(pool)};
    for (int i = 0; i < 10'000; ++i) v.push_back(i);
    EXPECT_GE(pool.in_use(), 10'000 * sizeof(int));
    std::vector<bool, PoolAllocator<bool>> bits{PoolAllocator<bool>(pool)};
    for (int i = 0; i < 1'000; ++i) bits.push_back(i % 3 == 0);
    for (int i = 0; i < 1'000; ++i) ASSERT_EQ(bits[static_cast<std::size_t>(i)], i % 3 == 0);
    auto moved = std::move(v);
    EXPECT_EQ(moved[9'999], 9'999);
  }
  EXPECT_EQ(pool.in_use(), 0u);
}

}  // namespace
}  // namespace steward::test
