#include "runtime/mem/small_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace steward::rt::small {
namespace {

class SmallBlocks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool once = (start(), true);  // two suites have this fixture
    ASSERT_TRUE(once);
  }
};

std::vector<void*> many(std::size_t count, std::size_t size) {
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(allocate(size));
  return blocks;
}
void release_all(const std::vector<void*>& blocks) {
  for (void* p : blocks) release(p);
}

TEST_F(SmallBlocks, AreAsLargeAsTheNextSixteenBytes) {
  for (std::size_t size = 0; size <= kMost; ++size) {
    void* const p = allocate(size);
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(owns(p));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 16, 0u);
    EXPECT_EQ(size_of(p), size == 0 ? 16 : (size + 15) / 16 * 16);
    release(p);
  }
  int local = 0;
  EXPECT_FALSE(owns(&local));
  EXPECT_FALSE(owns(nullptr));
}

// Against a model: blocks in use never overlap, and keep what was written into them.
TEST_F(SmallBlocks, KeepWhatIsInThem) {
  std::mt19937 random(1);
  struct Content {
    std::size_t size;
    unsigned char byte;
  };
  std::map<char*, Content> live;
  for (int step = 0; step < 200'000; ++step) {
    // The number in use goes up and down.
    const bool grow = live.empty() || random() % 100 < (step / 20'000 % 2 == 0 ? 60u : 40u);
    if (grow) {
      const std::size_t size = random() % kMost + 1;
      auto* const p = static_cast<char*>(allocate(size));
      const auto byte = static_cast<unsigned char>(random());
      auto next = live.lower_bound(p);
      ASSERT_TRUE(next == live.end() || p + size_of(p) <= next->first);
      if (next != live.begin()) {
        --next;
        ASSERT_LE(next->first + size_of(next->first), p);
      }
      std::memset(p, byte, size);
      live[p] = {size, byte};
    } else {
      auto it = live.lower_bound(live.begin()->first + random() % (std::size_t{1} << 22));
      if (it == live.end()) it = live.begin();
      for (std::size_t i = 0; i < it->second.size; ++i) {
        ASSERT_EQ(static_cast<unsigned char>(it->first[i]), it->second.byte);
      }
      release(it->first);
      live.erase(it);
    }
  }
  for (const auto& [p, content] : live) release(p);
}

TEST_F(SmallBlocks, FreedMemoryServesOtherSizes) {
  constexpr std::size_t kBytes = 1 << 20;
  const auto pages = [](const std::vector<void*>& blocks) {
    std::set<std::uintptr_t> seen;
    for (void* p : blocks) seen.insert(reinterpret_cast<std::uintptr_t>(p) / 4096);
    return seen;
  };
  const auto narrow = many(kBytes / 32, 32);
  const auto before = pages(narrow);
  release_all(narrow);
  const auto wide = many(kBytes / 128, 128);
  std::size_t fresh = 0;
  for (const std::uintptr_t page : pages(wide)) fresh += before.contains(page) ? 0 : 1;
  EXPECT_LE(fresh, 8u);  // what is in the cache cannot be used for it
  release_all(wide);
}

TEST_F(SmallBlocks, ComeBackToTheThreadThatTheirMemoryIsFor) {
  const auto blocks = many(10'000, 48);
  const std::set<void*> before(blocks.begin(), blocks.end());
  std::thread([&] { release_all(blocks); }).join();
  const auto again = many(10'000, 48);
  std::size_t known = 0;
  for (void* p : again) known += before.contains(p) ? 1 : 0;
  EXPECT_GE(known, 9'900u);
  release_all(again);
}

TEST_F(SmallBlocks, OfAThreadThatEndedAreTheNextOnes) {
  std::set<void*> before;
  std::vector<void*> kept;
  std::thread([&] {
    const auto blocks = many(1'000, 96);
    before.insert(blocks.begin(), blocks.end());
    kept = {blocks.begin(), blocks.begin() + 10};
    release_all({blocks.begin() + 10, blocks.end()});
    leave_thread();
    EXPECT_EQ(allocate(96), nullptr) << "nothing is kept for a thread that has left";
    release(kept.back());  // but it may free
    kept.pop_back();
  }).join();
  std::thread([&] {
    std::size_t known = 0;
    const auto blocks = many(900, 96);
    for (void* p : blocks) {
      known += before.contains(p) ? 1 : 0;
      for (void* k : kept) EXPECT_NE(p, k);
    }
    EXPECT_GE(known, 740u);  // what is left of its region comes first
    release_all(blocks);
    leave_thread();
  }).join();
  release_all(kept);
}

TEST_F(SmallBlocks, PassBetweenThreadsThatAllAllocate) {
  constexpr int kThreads = 4, kRounds = 2'000;
  std::vector<void*> handed[kThreads];
  std::atomic<int> at_barrier{0};
  const auto meet = [&](int round) {
    ++at_barrier;
    while (at_barrier < kThreads * (round + 1)) std::this_thread::yield();
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int round = 0; round < kRounds; ++round) {
        std::vector<void*>& mine = handed[t];
        for (unsigned i = random() % 40; i > 0; --i) {
          const std::size_t size = random() % kMost + 1;
          mine.push_back(allocate(size));
          std::memset(mine.back(), t, size);
        }
        meet(2 * round);
        std::vector<void*>& others = handed[(t + 1) % kThreads];
        for (void* p : others) {
          EXPECT_EQ(*static_cast<char*>(p), (t + 1) % kThreads);
          release(p);
        }
        others.clear();
        meet(2 * round + 1);
      }
      leave_thread();
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST_F(SmallBlocks, OfOtherThreadsAreFreeInAForkedChild) {
  std::atomic<bool> go{false}, ready{false};
  std::thread other([&] {
    void* const p = allocate(80);
    ready = true;
    while (!go) std::this_thread::yield();
    release(p);
    leave_thread();
  });
  while (!ready) std::this_thread::yield();
  lock_for_fork();
  const pid_t child = fork();
  unlock_after_fork(child == 0);
  if (child == 0) {
    bool done = true;
    for (void* p : many(1'000, 80)) {
      done = done && p != nullptr;
      release(p);
    }
    _exit(done ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  go = true;
  other.join();
}

using SmallBlocksDeathTest = SmallBlocks;

TEST_F(SmallBlocksDeathTest, FreedTwice) {
  void* const p = allocate(40);
  EXPECT_DEATH(
      {
        release(p);
        release(p);
      },
      "free already");
  release(p);
}

TEST_F(SmallBlocksDeathTest, FreedFromWithin) {
  auto* const p = static_cast<char*>(allocate(48));
  EXPECT_DEATH(release(p + 16), "no block begins there");
  release(p);
}

TEST_F(SmallBlocksDeathTest, FreedWhereARunHasNoBlock) {
  auto* const p = static_cast<char*>(allocate(48));
  char* const run = p - reinterpret_cast<std::uintptr_t>(p) % 1024;
  EXPECT_DEATH(release(run + 21 * 48), "no block begins there");  // behind the last
  EXPECT_DEATH(release(run + (std::size_t{1} << 29)), "no block begins there");  // never handed out
  release(p);
}

}  // namespace
}  // namespace steward::rt::small
