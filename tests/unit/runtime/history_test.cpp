// What was noted can be restored: the place, the calls around it and the locks held.
#include "runtime/history/history.h"

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
    history.note(t, kind, address, size, pc);
    Noted n{t.epoch, kind, address, size, pc, {}, {}};
    for (const Frame* f = t.top; f != t.base;) n.calls.push_back((--f)->pc);
    for (std::uint32_t i = 0; i < t.held_count; ++i) n.held.push_back(t.held[i].id);
    all.push_back(n);
  }
  std::size_t depth() const { return static_cast<std::size_t>(t.top - t.base); }

  ThreadFields t;
  History history;
  std::vector<Noted> all;

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

TEST(History, RandomProgramsAreRestored) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Program p;
    uptr next = 0x100000;  // every access has bytes of its own, so that there is one answer
    for (unsigned step = 0; step < 1500; ++step) {
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

}  // namespace
}  // namespace steward::rt
