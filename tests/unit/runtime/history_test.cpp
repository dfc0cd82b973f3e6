// What was noted can be restored: the place, the calls around it and the locks held.
#include "runtime/history/history.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace steward::rt {
namespace {

struct Noted {
  Epoch30 epoch;
  AccessKind kind;
  uptr address;
  std::size_t size;
  uptr pc;
  std::vector<uptr> calls;  // innermost first
  std::vector<std::uint32_t> held;
};

// A thread that calls, returns, locks and accesses, and remembers all of it.
class Program {
 public:
  Program() {
    t.base = t.top = frames_;
    t.low = frames_;
    t.epoch = 1;
    history.start(14);
  }
  void call(uptr pc) { *t.top++ = {pc, 0}; }
  void leave() {
    --t.top;
    if (t.top < t.low) t.low = t.top;
  }
  void lock(std::uint32_t id) {
    t.held[t.held_count++].id = id;
    history.note_lock(id, true);
  }
  void unlock() {
    history.note_lock(t.held[--t.held_count].id, false);
    ++t.epoch;
  }
  void access(AccessKind kind, uptr address, std::size_t size, uptr pc) {
    on_access();
    history.note(t, kind, address, size, pc);
    Noted n{t.epoch, kind, address, size, pc, {}, {}};
    for (const Frame* f = t.top; f != t.base;) n.calls.push_back((--f)->pc);
    for (std::uint32_t i = 0; i < t.held_count; ++i) n.held.push_back(t.held[i].id);
    all.push_back(n);
  }
  std::size_t depth() const { return static_cast<std::size_t>(t.top - t.base); }

  ThreadFields t;
  History& history = *new (sys::map(sizeof(History))) History;
  std::vector<Noted> all;
  std::function<void()> on_access = [] {};

 private:
  Frame frames_[256];
};

void expect_restored(const Ring& ring, const Noted& n) {
  Restored r;
  ASSERT_TRUE(ring.restore(n.epoch, n.kind, n.address, n.size, r));
  ASSERT_GE(r.stack.size, 1u);
  EXPECT_EQ(r.stack.pcs[0], n.pc);
  EXPECT_EQ(std::vector<uptr>(r.stack.pcs + 1, r.stack.pcs + r.stack.size), n.calls);
  EXPECT_EQ(std::vector<std::uint32_t>(r.held, r.held + r.held_count), n.held);
}

TEST(History, WalksInStepsAreNotedOnceAndFoundByElement) {
  Program p;
  p.call(0x1000);
  for (uptr i = 0; i < 1000; ++i) {  // two arrays at once, one of them in structs
    p.access(AccessKind::Read, 0x10000 + i * 8, 8, 0x1010);
    p.access(AccessKind::Write, 0x90000 + i * 24, 8, 0x1020);
  }
  for (const Noted& n : p.all) expect_restored(p.history, n);
  Restored r;
  EXPECT_FALSE(p.history.restore(1, AccessKind::Write, 0x90008, 8, r));  // between two elements
  EXPECT_FALSE(p.history.restore(1, AccessKind::Read, 0x10000 + 8000, 8, r));
  EXPECT_FALSE(p.history.restore(2, AccessKind::Read, 0x10000, 8, r));
  ASSERT_TRUE(p.history.restore(1, AccessKind::Read, 0x10000, 8, r));
  EXPECT_EQ(r.end, 0x10000u + 8000);
}

// What is noted while a thread does not sample: nothing. Calls and locks go on meanwhile.
void pause(Program& p, unsigned how) {
  p.history.pause();
  for (unsigned i = 0; i < how % 4 && p.depth() > 0; ++i) p.leave();
  for (unsigned i = 0; i < how % 3; ++i) p.call(0x9000 + how * 16);
  if (p.t.held_count > 0 && how % 2 == 0) p.unlock();
  if (p.t.held_count < 5 && how % 5 == 0) p.lock(700 + how + 100 * p.t.held_count);
  ++p.t.epoch;
}

// A random program, that pauses now and then if it is to.
void run_random(Program& p, unsigned seed, bool pauses, unsigned steps) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  uptr next = 0x100000;  // every access has bytes of its own, so that there is one answer
  for (unsigned step = 0; step < steps; ++step) {
    if (pauses && below(20) == 0) pause(p, below(60));
    switch (below(8)) {
      case 0:
        if (p.depth() < 40) p.call(0x1000 + below(50) * 16);
        break;
      case 1:
        if (p.depth() > 0) p.leave();
        break;
      case 2:
        if (p.t.held_count < 5) p.lock(1 + below(100) + 100 * p.t.held_count);
        break;
      case 3:
        if (p.t.held_count > 0) p.unlock();
        break;
      default: {
        static constexpr std::size_t kSizes[] = {1, 2, 4, 8, 16, 3, 100};
        const std::size_t size = kSizes[below(7)];
        const auto kind = static_cast<AccessKind>(below(4));
        const uptr pc = 0x400000 + below(6) * 8;
        for (unsigned n = 1 + below(6); n > 0; --n) {
          p.access(kind, next, size, pc);
          next += size * (1 + below(2) * below(3));
        }
      }
    }
  }
}

class Histories : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Pauses, Histories, testing::Bool());

TEST_P(Histories, OfRandomProgramsAreRestored) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Program p;
    run_random(p, seed, GetParam(), 1500);
    // The ring has 16 chunks; what it has overwritten is not asked for.
    const std::size_t first = p.all.size() > 1500 ? p.all.size() - 1500 : 0;
    for (std::size_t i = first; i < p.all.size(); ++i) {
      expect_restored(p.history, p.all[i]);
      if (HasFailure()) {
        FAIL() << "seed " << seed << ", access " << i;
      }
    }
  }
}

// A ring that begins small, in a program whose accesses can race no more once they are older than
// `kAlive` epochs.
Epoch30 now = 0;
constexpr Epoch30 kAlive = 40;
bool is_old(Epoch30 e) {
  return e + kAlive < now;
}
struct Growing {
  Growing() { can_race_no_more = is_old; }
  ~Growing() { can_race_no_more = nullptr; }
};

TEST_P(Histories, GrowOnlyForWhatCanStillRace) {
  const Growing growing;
  std::uint64_t largest = 0, smallest = ~std::uint64_t{0};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Program p;
    p.on_access = [&] { now = p.t.epoch; };
    run_random(p, seed, GetParam(), 6000);
    EXPECT_GT(p.all.size(), 8000u);  // some 20 chunks
    for (std::size_t i = p.all.size(); i-- > 0 && !is_old(p.all[i].epoch);) {
      expect_restored(p.history, p.all[i]);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", access " << i;
    }
    largest = std::max(largest, p.history.words());
    smallest = std::min(smallest, p.history.words());
    if (seed % 2 == 0) {  // as at the end of all that was sampled
      const std::uint64_t before = p.history.words();
      p.history.begin_anew();
      p.history.give_back();
      const std::size_t first = p.all.size();
      p.t.epoch += 1000;
      run_random(p, seed + 1000, GetParam(), 100);
      EXPECT_EQ(p.history.words(), before);
      for (std::size_t i = first; i < p.all.size(); ++i) expect_restored(p.history, p.all[i]);
      ASSERT_FALSE(HasFailure()) << "anew, seed " << seed;
    }
  }
  EXPECT_EQ(smallest, 4096u);
  EXPECT_LT(largest, 16384u);
}

// A ring that grew in the middle of a round has its latest chunk before its oldest.
Epoch30 last_old = 0;
bool is_before(Epoch30 e) {
  return e <= last_old;
}
void fill_chunk(Program& p) {
  for (unsigned i = 0; i < 510; ++i) {
    p.access(AccessKind::Write, 0x100000 + 8 * p.all.size(), 3, 0x400000);
  }
  ++p.t.epoch;
}
TEST(History, KeepsTheLatestChunkBeforeTheOldestOne) {
  const Growing growing;
  can_race_no_more = is_before;
  Program p;
  last_old = 2;
  for (unsigned i = 0; i < 6; ++i) fill_chunk(p);  // the fifth in place of the first; then it grows
  EXPECT_EQ(p.history.words(), 8192u);
  last_old = 3;
  for (unsigned i = 0; i < 4; ++i) fill_chunk(p);  // the last where the fifth is
  for (const Noted& n : p.all) {
    if (n.epoch >= 5) expect_restored(p.history, n);
    ASSERT_FALSE(HasFailure()) << "epoch " << n.epoch;
  }
}

TEST(History, HasWhatCanStillRaceAtAnyTimeBeforeItGrows) {
  const Growing growing;
  now = 0;
  Program p;
  for (unsigned i = 0; i < 8; ++i) {
    fill_chunk(p);
    p.access(AccessKind::Write, 0x100000 + 8 * p.all.size(), 3, 0x400000);
    for (std::size_t k = 0; k < p.all.size(); k += 97) expect_restored(p.history, p.all[k]);
    ASSERT_FALSE(HasFailure()) << "chunk " << i;
    for (unsigned k = 1; k < 510; ++k) {
      p.access(AccessKind::Write, 0x100000 + 8 * p.all.size(), 3, 0x400000);
    }
    ++p.t.epoch;
  }
}

TEST(History, GrowsToItsFullSizeWhenNothingGoes) {
  const Growing growing;
  Program p;
  p.on_access = [&] { now = 0; };
  run_random(p, 1, true, 9000);
  EXPECT_EQ(p.history.words(), 16384u);
  for (std::size_t i = p.all.size() - 1500; i < p.all.size(); ++i) {
    expect_restored(p.history, p.all[i]);
  }
}

}  // namespace
}  // namespace steward::rt
