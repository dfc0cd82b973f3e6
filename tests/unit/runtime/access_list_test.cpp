// The list of accesses of a granule against core's FastTrack, a cell for each byte: at every access
// of a random execution they agree on which bytes race. So does a list whose steps are made by the
// short way where it can be gone, and it holds the same.
#include "runtime/shadow/access_list.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"

namespace steward::rt {
namespace {

constexpr unsigned kThreads = 4;
constexpr unsigned kLocks = 2;

class HeapPages final : public PageSource {
 public:
  void* map(std::size_t bytes) override { return ::operator new (bytes, std::align_val_t{64}); }
  void unmap(void* p, std::size_t) override { ::operator delete (p, std::align_val_t{64}); }
};

using Clocks = std::array<Clock, kThreads>;

struct Thread {
  unsigned id = 0;
  Clocks clock{};
  Epoch epoch() const { return Epoch{Slot{id}, clock[id]}; }
  bool covers(Epoch e) const { return e.clock() <= clock[raw(e.slot())]; }
};

bool is_past(const Thread& t, Epoch30 e) {
  return t.covers(unpack(e));
}

using Bytes = std::map<std::pair<Epoch30, AccessKind>, unsigned>;  // what each access stands for
Bytes bytes_of_list(const AccessList& list) {
  Bytes out;
  for (const AccessList::Entry& e : list) {
    EXPECT_NE(e.mask, 0u);
    out[{e.epoch, e.kind}] |= e.mask;
  }
  return out;
}

bool is_same_epoch(AccessRule rule) {
  return rule == AccessRule::ReadSameEpoch || rule == AccessRule::WriteSameEpoch ||
         rule == AccessRule::AtomicReadSameEpoch || rule == AccessRule::AtomicWriteSameEpoch;
}

void join(Clocks& to, const Clocks& from) {
  for (unsigned i = 0; i < kThreads; ++i) to[i] = std::max(to[i], from[i]);
}

// With even seeds threads mostly take turns, and do without atomics. Returns how many steps went
// the short way.
unsigned run(unsigned seed, unsigned steps) {
  const bool in_turns = seed % 2 == 0;
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  HeapPages pages;
  Pool pool(pages);
  AccessList list, quick;
  unsigned quick_steps = 0;
  std::array<fasttrack::Cell, 8> cells;
  std::array<Thread, kThreads> threads;
  std::array<Clocks, kLocks> locks{};
  for (unsigned i = 0; i < kThreads; ++i) {
    threads[i].id = i;
    threads[i].clock[i] = 1;
  }
  for (unsigned step = 0; step < steps; ++step) {
    Thread& t = threads[below(kThreads)];
    const unsigned what = below(20);
    if (what < 3) {
      join(t.clock, locks[below(kLocks)]);
    } else if (what < 6) {
      locks[below(kLocks)] = t.clock;
      ++t.clock[t.id];
    } else if (what == 6 && below(10) == 0) {
      const unsigned from = below(8), to = from + 1 + below(8 - from);
      list.forget(bytes_of(from, to));
      quick.forget(bytes_of(from, to));
      for (unsigned b = from; b < to; ++b) {
        cells[b].destroy(pool);
        cells[b] = fasttrack::Cell();
      }
    } else {
      const auto kind = static_cast<AccessKind>(below(in_turns ? 2 : 4));
      if (in_turns && below(8) != 0) {
        for (const Thread& other : threads) {
          if (other.id != t.id) join(t.clock, other.clock);
        }
        for (Thread& other : threads) ++other.clock[other.id];
      }
      const unsigned from = below(8), to = from + 1 + below(8 - from);
      unsigned expected = 0, found = 0, again = 0;
      for (unsigned b = from; b < to; ++b) {
        const Verdict v = fasttrack::access(pool, cells[b], t, kind, kNoSite, true);
        if (v.racy()) expected |= 1u << b;
        if (is_same_epoch(v.rule)) again |= 1u << b;
      }
      // The second access of an epoch is not looked at, here by the caller: what it races with has
      // told.
      const auto mask = static_cast<AccessList::Mask>(bytes_of(from, to) & ~again);
      const auto race = [&](AccessKind earlier, Epoch30 epoch, unsigned bytes) {
        EXPECT_TRUE(conflict(kind, earlier));
        EXPECT_FALSE(t.covers(unpack(epoch)));
        found |= bytes;
      };
      list.access(pool, t, pack(t.epoch()), kind, mask, true, race);
      EXPECT_EQ(found, expected) << "seed " << seed << ", step " << step;
      auto made = AccessList::Made::No;
      const bool has = quick.has(pack(t.epoch()), is_write(kind), mask);
      if (!is_atomic(kind) && mask != 0) {
        made = is_write(kind) ? quick.advance<true>(t, pack(t.epoch()), mask)
                              : quick.advance<false>(t, pack(t.epoch()), mask);
        EXPECT_TRUE(made == AccessList::Made::No || (made == AccessList::Made::Before) == has)
            << "seed " << seed << ", step " << step;
      }
      if (made != AccessList::Made::No) {
        EXPECT_EQ(expected, 0u) << "seed " << seed << ", step " << step;
        ++quick_steps;
      } else {
        found = 0;
        quick.access(pool, t, pack(t.epoch()), kind, mask, true, race);
        EXPECT_EQ(found, expected) << "seed " << seed << ", step " << step;
      }
      EXPECT_EQ(bytes_of_list(quick), bytes_of_list(list)) << "seed " << seed << ", step " << step;
    }
  }
  list.begin_anew(pool);
  quick.begin_anew(pool);
  for (auto& c : cells) c.destroy(pool);
  return quick_steps;
}

TEST(AccessList, AgreesWithCoreByteByByte) {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    (void)run(seed, 60);
    if (HasFailure()) return;
  }
  (void)run(1, 100'000);
  EXPECT_GT(run(2, 100'000), 20'000u);
}

TEST(AccessList, StaysSmallWhereReadsFollowEachOther) {
  HeapPages pages;
  Pool pool(pages);
  AccessList list;
  Thread t;
  t.clock[0] = 1;
  for (; t.clock[0] < 1000; ++t.clock[0]) {
    const unsigned from = t.clock[0] % 8;
    list.access(pool, t, pack(t.epoch()), AccessKind::Read, bytes_of(from, 8), true,
                [](AccessKind, Epoch30, unsigned) { FAIL(); });
  }
  EXPECT_LE(list.end() - list.begin(), 8);
  list.begin_anew(pool);
}

// A lock that another thread held when its process forked is nobody's in the child.
TEST(SideLock, IsFreeInAChildWhoeverHeldIt) {
  SideLock lock;
  std::thread([&] { lock.lock(); }).join();
  for (unsigned forks = 0; forks < 300; ++forks) {  // the number of the process comes round
    SideLock::in_child();
    lock.lock();
    lock.unlock();
    lock.lock();
  }
  unsigned sum = 0;
  lock.unlock();
  const auto add = [&] {
    for (unsigned i = 0; i < 10'000; ++i) {
      lock.lock();
      ++sum;
      lock.unlock();
    }
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(sum, 20'000u);
}

// Asked without the lock: yes only for what the list of this life holds.
TEST(AccessList, TellsWhatAnEpochHasDone) {
  HeapPages pages;
  Pool pool(pages);
  AccessList list;
  const auto still = [] { return true; };
  const auto epoch = [](unsigned clock) { return pack(Epoch{Slot{1}, clock}); };
  list.add(pool, {epoch(5), AccessKind::Read, 0x0f});
  list.add(pool, {epoch(5), AccessKind::Write, 0x30});
  list.add(pool, {epoch(5), AccessKind::AtomicWrite, 0xc0});
  EXPECT_TRUE(list.has(epoch(5), false, 0x3f, still));
  EXPECT_TRUE(list.has(epoch(5), true, 0x30, still));
  EXPECT_FALSE(list.has(epoch(5), true, 0x31, still));   // read only
  EXPECT_FALSE(list.has(epoch(5), false, 0x40, still));  // atomic only
  EXPECT_FALSE(list.has(epoch(6), false, 0x01, still));
  EXPECT_FALSE(list.has(epoch(5), false, 0x01, [] { return false; }));
  EXPECT_FALSE(list.has(epoch(5), false, 0x01, [&] {
    list.begin_anew(pool);  // another granule's meanwhile
    list.add(pool, {epoch(5), AccessKind::Read, 0xff});
    return true;
  }));
  for (unsigned clock = 6; clock < 20; ++clock) list.add(pool, {epoch(clock), AccessKind::Read, 1});
  EXPECT_TRUE(list.has(epoch(5), false, 0xff, still));  // in another place
  EXPECT_TRUE(list.has(epoch(19), false, 0x01, still));
  EXPECT_FALSE(list.has(epoch(20), false, 0x01, still));
  EXPECT_FALSE(list.has(epoch(19), false, 0x01, [&] {
    list.begin_anew(pool);
    return true;
  }));
  list.begin_anew(pool);
}

}  // namespace
}  // namespace steward::rt
