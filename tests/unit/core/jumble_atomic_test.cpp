// The model `c++` against C++20's axioms: at every load of every execution, what can be read is
// what the axioms allow.
#include <gtest/gtest.h>
#include <memory>
#include <set>

#include "analyze/random.h"
#include "cpp20_axioms.h"
#include "jumble_support.h"
#include "support/run.h"

namespace steward::test {
namespace {

using jumble::AtomicBuffer;
using jumble::AtomicThread;
using jumble::Chooser;
using jumble::Heuristic;
using jumble::MemoryOrder;
using jumble::Value;
using Events = std::vector<AtomicEvent>;

constexpr auto kRelaxed = MemoryOrder::Relaxed;
constexpr auto kAcquire = MemoryOrder::Acquire;
constexpr auto kRelease = MemoryOrder::Release;
constexpr auto kAcqRel = MemoryOrder::AcqRel;
constexpr auto kSeqCst = MemoryOrder::SeqCst;
constexpr unsigned kThreads = 3, kObjects = 2;

// The model at work. An event i writes the value i + 1.
class Machine {
 public:
  Machine(Pool& pool, jumble::Picks& picks, unsigned bound)
      : sc_(pool, Slot{kThreads}), bound_(bound), chooser_(Heuristic::Random, draws_, &picks) {
    for (unsigned t = 0; t < kThreads; ++t) {
      threads_.push_back(std::make_unique<Thread>(pool));
      threads_[t]->now = Epoch(Slot{t}, 1);
      threads_[t]->clock.set(Slot{t}, 1);
    }
    for (unsigned x = 0; x < kObjects; ++x) {
      objects_.push_back(std::make_unique<AtomicBuffer>(pool, Value{0}));
    }
  }

  // What the load of this event could read.
  std::set<int> readable(const AtomicEvent& e) {
    jumble::RuleCounts ignored;
    AtomicBuffer& b = *objects_[e.object];
    std::set<int> r;
    for (unsigned i = b.floor(view(e.thread), e.seq_cst(), sc_, ignored); i < b.size(); ++i) {
      r.insert(static_cast<int>(b[i].value) - 1);
    }
    return r;
  }

  void step(AtomicEvent& e, std::size_t index) {
    const Value mine = index + 1;
    AtomicThread t = view(e.thread);
    switch (e.op) {
      case Op::Fence:
        jumble::fence(t, e.order, sc_, counts);
        break;
      case Op::Store:
        objects_[e.object]->store(t, mine, e.order, 0, sc_, counts, bound_);
        break;
      case Op::Load:
        e.reads_from =
            static_cast<int>(objects_[e.object]->load(t, e.order, sc_, chooser_, counts).value) - 1;
        break;
      case Op::Modify:
        e.reads_from = static_cast<int>(objects_[e.object]->modify(
                           t, e.order, 0, sc_, counts, [&](Value) { return mine; }, bound_)) -
                       1;
        break;
    }
    Thread& thread = *threads_[e.thread];
    if (!releases(e.order) || e.op == Op::Load) return;
    thread.now = Epoch(thread.now.slot(), thread.now.clock() + 1);
    thread.clock.set(thread.now.slot(), thread.now.clock());
  }

  jumble::RuleCounts counts;

 private:
  struct Thread {
    explicit Thread(Pool& pool) : clock(pool), acquire_fence(pool), release_fence(pool) {}
    VectorClock clock, acquire_fence, release_fence;
    Epoch now;
  };
  AtomicThread view(unsigned t) {
    Thread& s = *threads_[t];
    return {s.clock, s.acquire_fence, s.release_fence, s.now};
  }

  NoDraws draws_;
  jumble::ScOrder sc_;
  unsigned bound_;
  Chooser chooser_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<AtomicBuffer>> objects_;
};

// What the last of these events, a load, may read by the axioms.
std::set<int> allowed(Events events) {
  std::set<int> r;
  AtomicEvent& load = events.back();
  for (int w = AtomicEvent::kInitial; w + 1 < static_cast<int>(events.size()); ++w) {
    if (w >= 0 && (!events[static_cast<std::size_t>(w)].writes() ||
                   events[static_cast<std::size_t>(w)].object != load.object)) {
      continue;
    }
    load.reads_from = w;
    if (Cpp20(events).consistent()) r.insert(w);
  }
  return r;
}

std::string shown(const Events& events) {
  std::string s;
  for (const AtomicEvent& e : events) {
    s += "T" + std::to_string(e.thread) + " " + "LSMF"[static_cast<unsigned>(e.op)] +
         std::to_string(e.object) + " order " + std::to_string(static_cast<unsigned>(e.order)) +
         (e.reads() ? " from " + std::to_string(e.reads_from) : "") + "; ";
  }
  return s;
}

struct Tally {
  std::uint64_t executions = 0, loads = 0, choices = 0;
};

// All executions of one sequence of operations; of every load in them, what can be read.
void check_all(Events events, PageSource& pages, Tally& tally, unsigned bound = jumble::kBound,
               std::uint64_t most = ~std::uint64_t{0}) {
  AllPicks picks;
  std::uint64_t n = 0;
  do {
    Pool pool(pages);
    Machine m(pool, picks, bound);
    ++tally.executions;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].op == Op::Load) {
        const Events so_far(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        const std::set<int> legal = allowed(so_far), can = m.readable(events[i]);
        ++tally.loads;
        tally.choices += legal.size() > 1 ? 1 : 0;
        if (bound == jumble::kBound) {
          ASSERT_EQ(can, legal) << shown(so_far);
        } else {
          ASSERT_TRUE(std::includes(legal.begin(), legal.end(), can.begin(), can.end()))
              << shown(so_far);
        }
      }
      m.step(events[i], i);
    }
    ASSERT_TRUE(Cpp20(events).consistent()) << shown(events);
    cover_jumble(m.counts);
  } while (picks.advance() && ++n < most);
}

const Events kAll = [] {
  Events all;
  for (unsigned x = 0; x < kObjects; ++x) {
    for (const auto o : {kRelaxed, kAcquire, kSeqCst}) all.push_back({0, Op::Load, x, o});
    for (const auto o : {kRelaxed, kRelease, kSeqCst}) all.push_back({0, Op::Store, x, o});
    for (const auto o : {kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}) {
      all.push_back({0, Op::Modify, x, o});
    }
  }
  for (const auto o : {kAcquire, kRelease, kAcqRel, kSeqCst}) all.push_back({0, Op::Fence, 0, o});
  return all;
}();

// All sequences of `length` operations out of `ops`, by `threads` threads, that end in a load;
// threads and objects appear in the order of their numbers.
void enumerate(const Events& ops, unsigned threads, std::size_t length, Events& prefix,
               const std::function<void(const Events&)>& f) {
  if (prefix.size() == length) {
    if (prefix.back().op == Op::Load) f(prefix);
    return;
  }
  unsigned used = 0, objects = 0;
  for (const AtomicEvent& e : prefix) {
    used = std::max(used, e.thread + 1);
    if (!e.is_fence()) objects = std::max(objects, e.object + 1);
  }
  for (unsigned t = 0; t < std::min(used + 1, threads); ++t) {
    for (AtomicEvent e : ops) {
      if (!e.is_fence() && e.object > objects) continue;
      e.thread = t;
      prefix.push_back(e);
      enumerate(ops, threads, length, prefix, f);
      prefix.pop_back();
    }
  }
}

TEST(JumbleAtomic, AllShortExecutions) {
  RecycledPages pages;
  Tally tally;
  for (const std::size_t length : {2u, 3u, 4u}) {
    Events prefix;
    const unsigned threads = length < 4 ? 3 : 2;
    enumerate(kAll, threads, length, prefix, [&](const Events& e) {
      if (!HasFailure()) check_all(e, pages, tally);
    });
  }
  std::printf("%lu executions, %lu loads, %lu with a choice\n", tally.executions, tally.loads,
              tally.choices);
  EXPECT_GT(tally.choices, 10'000u);
}

// Longer ones of what the rules about fences and seq_cst are for: store buffering and its kin.
TEST(JumbleAtomic, AllExecutionsWithSeqCst) {
  RecycledPages pages;
  Tally tally;
  Events ops;
  for (unsigned x = 0; x < kObjects; ++x) {
    for (const auto o : {kRelaxed, kSeqCst}) {
      ops.push_back({0, Op::Load, x, o});
      ops.push_back({0, Op::Store, x, o});
    }
  }
  ops.push_back({0, Op::Fence, 0, kSeqCst});
  Events prefix;
  enumerate(ops, 2, 5, prefix, [&](const Events& e) {
    if (!HasFailure()) check_all(e, pages, tally);
  });
  ops = {{0, Op::Store, 0, kRelaxed},
         {0, Op::Store, 1, kRelaxed},
         {0, Op::Load, 0, kRelaxed},
         {0, Op::Load, 1, kRelaxed},
         {0, Op::Fence, 0, kSeqCst}};
  enumerate(ops, 2, 6, prefix, [&](const Events& e) {
    if (!HasFailure()) check_all(e, pages, tally);
  });
  EXPECT_GT(tally.choices, 10'000u);
}

TEST(JumbleAtomic, RandomLongExecutions) {
  RecycledPages pages;
  analyze::Random random(1);
  Tally tally, bounded;
  for (unsigned round = 0; round < 12'000; ++round) {
    Events events;
    const std::size_t length = 7 + random.below(5);
    while (events.size() < length) {
      AtomicEvent e = kAll[random.below(kAll.size())];
      e.thread = static_cast<unsigned>(random.below(kThreads));
      events.push_back(e);
    }
    check_all(events, pages, tally, jumble::kBound, 6);
    check_all(events, pages, bounded, 2 + round % 2, 2);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.choices, 10'000u);
  EXPECT_GT(bounded.choices, 1'000u);
}

// Does some execution of the program end with all these values read?
bool can_read(Events events, const std::vector<int>& reads) {
  RecycledPages pages;
  AllPicks picks;
  bool found = false;
  do {
    Pool pool(pages);
    Machine m(pool, picks, jumble::kBound);
    std::vector<int> got;
    for (std::size_t i = 0; i < events.size(); ++i) {
      m.step(events[i], i);
      if (events[i].op == Op::Load) got.push_back(events[i].reads_from);
    }
    found = found || got == reads;
  } while (picks.advance());
  return found;
}

TEST(JumbleAtomic, MessagePassing) {
  auto program = [](MemoryOrder store, MemoryOrder load) {
    return Events{{0, Op::Store, 0, kRelaxed},
                  {0, Op::Store, 1, store},
                  {1, Op::Load, 1, load},
                  {1, Op::Load, 0, kRelaxed}};
  };
  const std::vector<int> flag_without_data{1, AtomicEvent::kInitial};
  EXPECT_TRUE(can_read(program(kRelaxed, kRelaxed), flag_without_data));
  EXPECT_TRUE(can_read(program(kRelease, kRelaxed), flag_without_data));
  EXPECT_TRUE(can_read(program(kRelaxed, kAcquire), flag_without_data));
  EXPECT_FALSE(can_read(program(kRelease, kAcquire), flag_without_data));
  EXPECT_FALSE(can_read(program(kSeqCst, kSeqCst), flag_without_data));
}

TEST(JumbleAtomic, StoreBuffering) {
  auto program = [](MemoryOrder store, MemoryOrder load, bool fence) {
    Events e{{0, Op::Store, 0, store}, {1, Op::Store, 1, store}};
    if (fence) {
      e.push_back({0, Op::Fence, 0, kSeqCst});
      e.push_back({1, Op::Fence, 0, kSeqCst});
    }
    e.push_back({0, Op::Load, 1, load});
    e.push_back({1, Op::Load, 0, load});
    return e;
  };
  const std::vector<int> both_missed{AtomicEvent::kInitial, AtomicEvent::kInitial};
  EXPECT_TRUE(can_read(program(kRelaxed, kRelaxed, false), both_missed));
  EXPECT_TRUE(can_read(program(kRelease, kAcquire, false), both_missed));
  EXPECT_FALSE(can_read(program(kSeqCst, kSeqCst, false), both_missed));
  EXPECT_FALSE(can_read(program(kRelaxed, kRelaxed, true), both_missed));
}

// A failed compare-exchange is a load of a value that was not expected; one that succeeds replaces
// the last value.
TEST(JumbleAtomic, CompareExchange) {
  analyze::HeapPages pages;
  for (const bool stale : {false, true}) {
    Pool pool(pages);
    AllPicks oldest;
    analyze::Random random(1);
    jumble::RuleCounts counts;
    jumble::ScOrder sc(pool, Slot{2});
    VectorClock a(pool), b(pool), none(pool), other(pool);
    a.set(Slot{0}, 1);
    b.set(Slot{1}, 1);
    AtomicBuffer x(pool, 5);
    x.store({a, none, none, Epoch(Slot{0}, 1)}, 6, kRelaxed, 0, sc, counts);
    Chooser chooser(Heuristic::SequentiallyConsistent, random, stale ? &oldest : nullptr);
    Value expected = 6;
    jumble::Choice choice;
    const AtomicThread t{b, other, other, Epoch(Slot{1}, 1)};
    EXPECT_EQ(
        x.compare_exchange(t, expected, 7, kRelaxed, kRelaxed, 0, sc, chooser, counts, choice),
        !stale);
    EXPECT_EQ(choice.candidates, 2u);
    EXPECT_EQ(expected, stale ? 5u : 6u);
    EXPECT_EQ(x.latest().value, stale ? 6u : 7u);
    // Expecting what is not there any more: fails, and never by reading the expected value.
    expected = 5;
    EXPECT_FALSE(
        x.compare_exchange(t, expected, 8, kRelaxed, kRelaxed, 0, sc, chooser, counts, choice));
    EXPECT_NE(expected, 5u);
    cover_jumble(counts);
  }
}

}  // namespace
}  // namespace steward::test
