// Lockset detection on escaped objects: every edge of the paper's Figure 2, its Figure 1, and what
// each barrier calls escaped. Coverage fails the run when an edge never fired.
#include "core/lockset/lockset.h"

#include <gtest/gtest.h>
#include <map>

#include "support/random_trace.h"
#include "unit/core/stepper.h"

namespace steward::test {
namespace {

constexpr unsigned kMain = 0, kT1 = 1, kT2 = 2, kT3 = 3;
constexpr Address kObject = 0x1000;  // 64 bytes, of kMain
constexpr Address kRoot = 0x9000;    // a static variable
constexpr std::uint64_t kL = 1, kM = 2, kRw = 3;

Lockset::Settings with_blocks(std::uint32_t bytes = 64) {
  return {.barrier = Lockset::Barrier::Read, .block = bytes, .excluded = {}};
}
Lockset::Settings write_barrier() {
  return {.barrier = Lockset::Barrier::Write, .block = 0, .excluded = {}};
}

class On : public Stepper<Lockset> {
 public:
  explicit On(const Lockset::Settings& s = {}) : Stepper<Lockset>(LardRules{}, s) {}

  // An object of kMain to which kT1 and kT2 have obtained a reference.
  On& escaped(std::uint64_t size = 64) {
    (*this)({alloc_of(kMain, kObject, size), stref(kMain, kRoot, kObject)});
    (*this)({ldref(kT1, kRoot, kObject), ldref(kT2, kRoot, kObject)});
    return *this;
  }
  std::vector<std::uint64_t> locks(std::uint32_t set) {
    const auto s = analysis().locks_of(set);
    return {s.begin(), s.end()};
  }
};

// Figure 1: one thread increments the balance under the account's monitor, another does not.
TEST(Lockset, TheAccountOfFigure1) {
  On on;
  const Address balance = kObject + 16;
  const std::uint64_t self = kObject;
  on({alloc_of(kMain, kObject, 32), wr(kMain, balance)});
  on({ldref(kT1, kRoot, kObject), acq(kT1, self), rd(kT1, balance), wr(kT1, balance),
      rel(kT1, self)});
  const std::size_t inc = on.now() - 2;
  EXPECT_EQ(on({ldref(kT2, kRoot, kObject), rd(kT2, balance)}), (Reports{{inc, inc + 3}}));
  const Race& r = on.races()[0];
  EXPECT_EQ(r.first.thread, ThreadId{kT1});
  EXPECT_EQ(r.second.thread, ThreadId{kT2});
  EXPECT_EQ(on.locks(r.first.held), std::vector{self});
  EXPECT_EQ(on.locks(r.second.held), std::vector<std::uint64_t>{});
  EXPECT_EQ(on.locks(r.lockset), std::vector{self}) << "the set that became empty";
  EXPECT_EQ(r.address, balance);
  EXPECT_EQ(on({wr(kT2, balance), wr(kT1, balance)}), Reports{}) << "a field is reported once";
  EXPECT_EQ(on.fired("conflict"), 2u);
}

// Section 3.3: many programs initialise objects without locks, then pass them on.
TEST(Lockset, InitialisationThenHandOverIsNotReported) {
  On on;
  on({alloc_of(kMain, kObject, 64), wr(kMain, kObject), wr(kMain, kObject + 8),
      rd(kMain, kObject)});
  EXPECT_EQ(on.fired("owned, by its owner"), 3u);
  EXPECT_EQ(
      on({ldref(kT1, kRoot, kObject), rd(kT1, kObject), wr(kT1, kObject), wr(kT1, kObject + 8)}),
      Reports{});
  EXPECT_EQ(on.fired("owned -> escaped (reference read)"), 1u);
  EXPECT_EQ(on({acq(kT2, kL), rd(kT2, kObject + 16), rel(kT2, kL)}), Reports{});
}

TEST(Lockset, ItsOwnerMayReadAReferenceToAnObject) {
  On on;
  on({alloc_of(kT1, kObject, 64), ldref(kT1, kRoot, kObject), wr(kT1, kObject)});
  EXPECT_EQ(on.fired("owned -> escaped (reference read)"), 0u);
  on(ldref(kT2, kRoot, kObject + 40));
  EXPECT_EQ(on.fired("owned -> escaped (reference read)"), 1u) << "a pointer into it counts";
}

TEST(Lockset, EscapedToSharedReadToConflict) {
  On on;
  on.escaped();
  const std::size_t first = on.now();
  EXPECT_EQ(on({rd(kT1, kObject), rd(kT2, kObject), rd(kT3, kObject)}), Reports{});
  EXPECT_EQ(on.fired("escaped -> shared read"), 1u);
  EXPECT_EQ(on.fired("shared read"), 2u);
  EXPECT_EQ(on(wr(kT1, kObject)).size(), 1u);
  EXPECT_EQ(on.fired("shared read -> conflict"), 1u);
  EXPECT_GT(first_event(on.races()[0]), first) << "the earlier access is another thread's";
}

TEST(Lockset, SharedReadToSharedModifiedToConflict) {
  On on;
  on.escaped();
  on({acq(kT1, kL), rd(kT1, kObject), wr(kT1, kObject), rel(kT1, kL)});
  EXPECT_EQ(on.fired("shared read -> shared modified"), 1u);
  on({acq(kT2, kL), acq(kT2, kM), wr(kT2, kObject), rel(kT2, kM), rel(kT2, kL)});
  EXPECT_EQ(on.fired("shared modified"), 1u);
  EXPECT_EQ(on({acq(kT1, kM), rd(kT1, kObject)}).size(), 1u) << "the common set was {L}";
  EXPECT_EQ(on.fired("shared modified -> conflict"), 1u);
  EXPECT_EQ(on.locks(on.races()[0].first.held), (std::vector{kL, kM}));
}

TEST(Lockset, EscapedToSharedModified) {
  On on;
  on.escaped();
  on(wr(kT1, kObject));
  EXPECT_EQ(on.fired("escaped -> shared modified"), 1u);
  EXPECT_EQ(on({wr(kT1, kObject), rd(kT1, kObject)}), Reports{}) << "one thread needs no lock";
  EXPECT_EQ(on({acq(kT2, kL), rd(kT2, kObject)}).size(), 1u) << "read and written by two";
}

TEST(Lockset, FieldsAreToldApart) {
  On on;
  on.escaped();
  EXPECT_EQ(on({wr(kT1, kObject, 4), wr(kT2, kObject + 4, 4)}), Reports{});
  EXPECT_EQ(on(wr(kT2, kObject + 2, 2)).size(), 1u);
  EXPECT_EQ(on.races()[0].address, kObject + 2);
  EXPECT_EQ(on.races()[0].size, 2u);
}

// Sub-blocks (section 3.2).
TEST(Lockset, ThreadsOnDisjointBlocksOfAnArrayNeedNoLock) {
  On on(with_blocks());
  on.escaped(1024);
  EXPECT_EQ(on.fired("escaped -> block free"), 1u);
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < 64; ++i) {
      EXPECT_EQ(on({wr(kT1, kObject + 8 * i), wr(kT2, kObject + 512 + 8 * i)}), Reports{});
    }
  }
  EXPECT_EQ(on.fired("block free -> block owned"), 16u);
  EXPECT_EQ(on.analysis().work().sampled_accesses, 0u) << "no element has a lockset";
}

TEST(Lockset, ABlockIsDividedWhenASecondThreadReadsIt) {
  On on(with_blocks());
  on.escaped(256);
  on({wr(kT1, kObject + 64), wr(kT1, kObject + 72), rd(kT2, kObject + 64)});
  EXPECT_EQ(on.fired("block owned, by its owner"), 1u);
  EXPECT_EQ(on.fired("block owned -> shared read"), 1u);
  EXPECT_EQ(on({rd(kT1, kObject + 64)}), Reports{});
  EXPECT_EQ(on({wr(kT1, kObject + 64)}).size(), 1u);
}

TEST(Lockset, ABlockIsDividedWhenASecondThreadWritesIt) {
  On on(with_blocks());
  on.escaped(256);
  on({wr(kT1, kObject + 64), wr(kT2, kObject + 64)});
  EXPECT_EQ(on.fired("block owned -> shared modified"), 1u);
  EXPECT_EQ(on({wr(kT1, kObject + 64)}).size(), 1u);
}

TEST(Lockset, AnAccessOverTwoBlocksIsOneOfEach) {
  On on(with_blocks());
  on.escaped(256);
  on({wr(kT1, kObject + 60, 8), wr(kT2, kObject + 60, 4)});
  EXPECT_EQ(on.fired("block free -> block owned"), 2u);
  EXPECT_EQ(on.fired("block owned -> shared modified"), 1u);
}

TEST(Lockset, TheLastBlockMayBeShort) {
  On on(with_blocks());
  on.escaped(100);
  EXPECT_EQ(on({wr(kT1, kObject + 96, 4), wr(kT1, kObject + 99, 1)}), Reports{});
  EXPECT_EQ(on.fired("block free -> block owned"), 1u);
}

TEST(Lockset, BlocksAreOffUnlessAskedFor) {
  On on;
  on.escaped(1024);
  on(wr(kT1, kObject));
  EXPECT_EQ(on.fired("escaped -> block free"), 0u);
  EXPECT_EQ(on.fired("escaped -> shared modified"), 1u);
}

// Locks.
TEST(Lockset, ALockHeldForReadingProtectsReadsOnly) {
  On on;
  on.escaped();
  on({acq(kT1, kRw), wr(kT1, kObject), rel(kT1, kRw)});
  EXPECT_EQ(on({racq(kT2, kRw), rd(kT2, kObject), rrel(kT2, kRw)}), Reports{});
  EXPECT_EQ(on({racq(kT2, kRw), wr(kT2, kObject)}).size(), 1u);
}

TEST(Lockset, ALockAcquiredTwiceIsHeldUntilTheSecondRelease) {
  On on;
  on.escaped();
  on({acq(kT1, kL), acq(kT1, kL), rel(kT1, kL), wr(kT1, kObject), rel(kT1, kL)});
  EXPECT_EQ(on({acq(kT2, kL), wr(kT2, kObject), rel(kT2, kL)}), Reports{});
  EXPECT_EQ(on({wr(kT1, kObject)}).size(), 1u);
}

TEST(Lockset, LocksAreReleasedInAnyOrder) {
  On on;
  on.escaped();
  on({acq(kT1, kL), acq(kT1, kM), rel(kT1, kL), wr(kT1, kObject), rel(kT1, kM)});
  EXPECT_EQ(on({acq(kT2, kM), wr(kT2, kObject), rel(kT2, kM)}), Reports{});
}

TEST(Lockset, VolatilesProtectNothing) {
  On on;
  on.escaped();
  EXPECT_EQ(on({wr(kT1, kObject), vw(kT1, 9), vr(kT2, 9), wr(kT2, kObject)}).size(), 1u);
}

TEST(Lockset, AtomicAccessesProtectEachOther) {
  On on;
  on.escaped();
  EXPECT_EQ(on({awr(kT1, kObject), awr(kT2, kObject), ard(kT3, kObject)}), Reports{});
  EXPECT_EQ(on(rd(kT3, kObject)).size(), 1u);
}

TEST(Lockset, StacksBecomeSetsOnlyForEscapedObjects) {
  On on;
  on({alloc_of(kT1, kObject, 64)});
  for (unsigned i = 0; i < 10; ++i) on({acq(kT1, kL), wr(kT1, kObject), rel(kT1, kL)});
  EXPECT_EQ(on.fired("monitor stacks turned into sets"), 0u);
  on(ldref(kT2, kRoot, kObject));
  on({acq(kT1, kL), wr(kT1, kObject), wr(kT1, kObject + 8), rel(kT1, kL)});
  EXPECT_EQ(on.fired("monitor stacks turned into sets"), 1u);
}

TEST(Lockset, IntersectionsAreComputedOnce) {
  On on;
  on.escaped();
  for (unsigned i = 0; i < 8; ++i) {
    on({acq(kT1, kL), acq(kT1, kM), wr(kT1, kObject + 8 * i), rel(kT1, kM), rel(kT1, kL)});
    on({acq(kT2, kL), wr(kT2, kObject + 8 * i), rel(kT2, kL)});
  }
  EXPECT_EQ(on.fired("intersections computed"), 1u);
  EXPECT_EQ(on.fired("intersections found in the cache"), 7u);
  EXPECT_EQ(on.fired("locksets"), 3u) << "{}, {L, M}, {L}";
}

// What nobody saw handed over.
TEST(Lockset, AnAccessByAnotherThreadIsAnEscape) {
  On on;
  on({alloc_of(kMain, kObject, 64), wr(kMain, kObject), fork(kMain, kT1), wr(kT1, kObject)});
  EXPECT_EQ(on.fired("owned -> escaped (accessed)"), 1u);
  EXPECT_EQ(on({wr(kMain, kObject)}).size(), 1u);
}

TEST(Lockset, MemoryOutsideObjectsIsOwnedByItsFirstThread) {
  On on;
  EXPECT_EQ(on({wr(kMain, kRoot), wr(kMain, kRoot), acq(kT1, kL), rd(kT1, kRoot), rel(kT1, kL),
                acq(kMain, kL), wr(kMain, kRoot), rel(kMain, kL)}),
            Reports{});
  EXPECT_EQ(on({wr(kT2, kRoot)}).size(), 1u);
}

TEST(Lockset, AnAccessAcrossAnObjectsEndTouchesBoth) {
  On on;
  on({alloc_of(kT1, kObject, 8), wr(kT1, kObject, 16)});
  EXPECT_EQ(on.fired("owned, by its owner"), 2u);
  on({wr(kT2, kObject - 4, 8)});
  EXPECT_EQ(on.fired("owned -> escaped (accessed)"), 1u) << "the object; the rest is its first";
}

// Special threads (section 4.3).
TEST(Lockset, SpecialThreadsDoNotCount) {
  const ThreadId finalizer[] = {ThreadId{kT2}};
  On on({.barrier = Lockset::Barrier::Read, .block = 0, .excluded = finalizer});
  on({alloc_of(kMain, kObject, 64), ldref(kT2, kRoot, kObject), wr(kT2, kObject)});
  EXPECT_EQ(on.fired("owned -> escaped (reference read)"), 0u);
  EXPECT_EQ(on({ldref(kT1, kRoot, kObject), wr(kT1, kObject), wr(kT2, kObject)}), Reports{});
  EXPECT_EQ(on({wr(kT3, kObject)}).size(), 1u);
}

// The write barrier (section 3.1, TRaDe).
TEST(Lockset, StoringAReferenceInAGlobalPlaceMarksAllThatItReaches) {
  On on(write_barrier());
  for (unsigned i = 0; i < 4; ++i) on(alloc_of(kMain, kObject + 0x100 * i, 64));
  // 0 -> 1 -> 2 -> 0, and 3 apart
  for (unsigned i = 0; i < 3; ++i)
    on(stref(kMain, kObject + 0x100 * i + 8, kObject + 0x100 * ((i + 1) % 3)));
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 0u) << "all are local";
  on(stref(kMain, kRoot, kObject));
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 3u);
  on(stref(kMain, kObject + 0x108, kObject + 0x300));
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 4u) << "into a global object";
}

TEST(Lockset, AnOverwrittenReferenceReachesNothing) {
  On on(write_barrier());
  for (unsigned i = 0; i < 2; ++i) on(alloc_of(kMain, kObject + 0x100 * i, 64));
  on({stref(kMain, kObject + 8, kObject + 0x100), stref(kMain, kObject + 8, 0),
      stref(kMain, kRoot, kObject)});
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 1u);
}

// "The target objects of the read barrier based method comprise a subset of the write barrier's."
TEST(Lockset, TheReadBarrierChecksNoMoreThanTheWriteBarrier) {
  const auto checked = [](const Lockset::Settings& s) {
    On on(s);
    for (unsigned i = 0; i < 100; ++i) {
      const Address node = kObject + 0x40 * i;
      on({alloc_of(kMain, node, 64), wr(kMain, node), stref(kMain, node, kObject + 0x40 * (i + 1)),
          stref(kMain, kRoot, node), rd(kMain, node)});
      if (i % 10 == 0) on({ldref(kT1, kRoot, node), acq(kT1, kL), rd(kT1, node), rel(kT1, kL)});
    }
    return on.analysis().work().sampled_accesses;
  };
  EXPECT_EQ(checked({}), 10u);
  EXPECT_EQ(checked(write_barrier()), 110u);
}

TEST(Lockset, AReferenceToADeadObjectReachesNothing) {
  On on(write_barrier());
  for (unsigned i = 0; i < 2; ++i) on(alloc_of(kMain, kObject + 0x100 * i, 64));
  on({stref(kMain, kObject, kObject + 0x100), free_of(kMain, kObject + 0x100, 64),
      alloc_of(kMain, kObject + 0x100, 64), stref(kMain, kRoot, kObject)});
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 1u);
}

// LARD's rules 3 and 4.
TEST(Lockset, FreedMemoryHasNoPast) {
  On on;
  on.escaped();
  on({wr(kT1, kObject), free_of(kT1, kObject, 64), alloc_of(kT2, kObject, 64)});
  EXPECT_EQ(on({wr(kT2, kObject), wr(kT2, kObject + 8)}), Reports{});
  EXPECT_EQ(on.fired("owned, by its owner"), 2u);
}

TEST(Lockset, AMovedObjectKeepsOwnerStateAndLocksets) {
  const Address there = kObject + 0x40;  // ranges may overlap
  On on;
  on({alloc_of(kT1, kObject, 0x60), of_system(move_of(kMain, kObject, there, 0x60)),
      of_system(free_of(kMain, kObject, 0x40)), wr(kT1, there)});
  EXPECT_EQ(on.fired("owned, by its owner"), 1u);
  on({ldref(kT2, kRoot, there), acq(kT2, kL), wr(kT2, there), rel(kT2, kL)});
  on({of_system(move_of(kMain, there, 0x8000, 0x60)), of_system(free_of(kMain, there, 0x60))});
  EXPECT_EQ(on(wr(kT1, 0x8000)).size(), 1u);
}

TEST(Lockset, AMoveFollowsReferencesForTheWriteBarrier) {
  On on(write_barrier());
  for (unsigned i = 0; i < 2; ++i) on(alloc_of(kMain, kObject + 0x100 * i, 64));
  on({stref(kMain, kObject, kObject + 0x100), move_of(kMain, kObject, 0x8000, 64),
      move_of(kMain, kObject + 0x100, 0x8100, 64), stref(kMain, kRoot, 0x8000)});
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 2u);
}

TEST(Lockset, ATooWideRangeAndOddPlacesLeaveNothingBehind) {
  On on(with_blocks(16));
  on({alloc_of(kT1, 0x1001, 3), alloc_of(kT1, 0x1004, 100), alloc_of(kT2, 0x1000, 0x1000),
      alloc_of(kT1, 0x1800, 0), wr(kT3, 0x0ffe, 0x1004)});
  on({free_of(kT1, 0, 0x10000), move_of(kT1, 0x1000, 0x1008, 16), end(kT1), end(kT3)});
  EXPECT_EQ(on({wr(kT1, 0x1000), rd(kT1, 0x1000)}), Reports{});
}

// What the live tool asks for beyond a trace's events.
TEST(Lockset, WhoHasMemoryOutsideObjectsCanBeSaid) {
  const auto no_lock = [](AccessKind) { return lockset::kEmptySet; };
  const auto conflicts = [&](ThreadId first) {
    On on;
    unsigned found = 0;
    for (const unsigned t : {kT1, kT2}) {
      on.algorithm().access(AccessKind::Write,
                            Lockset::By{ThreadId{t}, no_lock, [=](Address) { return first; }},
                            kRoot, 8, SiteId{t}, [&](const auto&...) { ++found; });
    }
    return found;
  };
  EXPECT_EQ(conflicts(kAllThreads), 1u) << "escaped from the start";
  EXPECT_EQ(conflicts(ThreadId{kT1}), 0u) << "the first thread's own";
  EXPECT_EQ(conflicts(ThreadId{kMain}), 1u) << "a third one's: both count";
}

namespace told {
std::vector<std::pair<unsigned, std::pair<Address, std::uint64_t>>> opened;
void note(ThreadId owner, Address begin, std::uint64_t size) {
  opened.push_back({raw(owner), {begin, size}});
}
}  // namespace told

TEST(Lockset, WhatIsNoLongerOneThreadsOwnIsTold) {
  Lockset::Settings settings = with_blocks(64);
  settings.opened = told::note;
  told::opened.clear();
  using Opened = decltype(told::opened);
  On on(settings);
  on({alloc_of(kMain, kObject, 160), wr(kMain, kObject), ldref(kT1, kRoot, kObject)});
  EXPECT_EQ(told::opened, (Opened{{kMain, {kObject, 160}}})) << "an object";
  told::opened.clear();
  on({wr(kT1, kObject + 130), wr(kT1, kObject + 140), wr(kT2, kObject + 130)});
  EXPECT_EQ(told::opened, (Opened{{kT1, {kObject + 128, 32}}})) << "a sub-block, the last is short";
  told::opened.clear();
  on({wr(kT1, kRoot), wr(kT2, kRoot), wr(kT1, kRoot)});
  EXPECT_EQ(told::opened, (Opened{{kT1, {kRoot, 8}}})) << "memory outside objects";
}

// A chain of objects, found by looking at them.
TEST(Lockset, WhatIsReachedFromAPublishedReferenceEscapes) {
  constexpr unsigned kLong = 1000;
  constexpr Address kFar = 0x100000;  // behind them all
  const auto scan = [](const lockset::Object& o, const auto& each) {
    each(o.begin + 0x40);  // the next one
    each(kFar);            // no object
  };
  On on(write_barrier());
  for (unsigned i = 0; i < kLong; ++i) on(alloc_of(kMain, kObject + 0x40 * i, 64));
  on.algorithm().store_reference(kObject, kObject + 0x40 * 900, scan);
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 0u) << "into an owned object";
  on.algorithm().store_reference(kFar, kObject + 0x40 * 900, scan);
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 100u);
  on.algorithm().store_reference(kObject + 0x40 * 950, kObject + 0x40 * 890, scan);
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), 110u) << "into an escaped one";
  on.algorithm().publish(kObject, scan);
  EXPECT_EQ(on.fired("owned -> escaped (reference stored)"), kLong);
}

// Many objects of odd sizes, in any order, against a list of them.
TEST(Lockset, ObjectsAreFoundByAnyOfTheirBytes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    analyze::Random random(seed);
    analyze::HeapPages pages;
    Pool pool(pages);
    {
      lockset::Objects objects(pool);
      std::map<Address, std::uint64_t> model;
      const auto in_model = [&](Address a) -> Address {
        auto it = model.upper_bound(a);
        if (it == model.begin()) return 0;
        --it;
        return a - it->first < it->second ? it->first : 0;
      };
      const auto forget = [&](Address begin, std::uint64_t size) {
        if (const Address o = in_model(begin)) model.erase(o);
        model.erase(model.lower_bound(begin), model.lower_bound(begin + size));
      };
      for (unsigned i = 0; i < 400; ++i) {
        const Address begin = 0x10000 + random.below(0x8000);
        const std::uint64_t size =
            1 + (random.below(8) == 0 ? random.below(0x3000) : random.below(64));
        forget(begin, size);
        if (random.below(3) == 0) {
          objects.erase(begin, size);
        } else {
          objects.insert(begin, size, ThreadId{0});
          model[begin] = size;
        }
        for (unsigned k = 0; k < 20; ++k) {
          const Address a = 0xff00 + random.below(0xb000);
          const lockset::Object* o = objects.at(a);
          ASSERT_EQ(o == nullptr ? 0 : o->begin, in_model(a)) << "seed " << seed;
          if (o != nullptr) continue;
          const auto next = model.upper_bound(a);
          const Address want = next == model.end() ? a + 0x100 : std::min(next->first, a + 0x100);
          ASSERT_EQ(objects.gap_end(a, a + 0x100), want) << "seed " << seed;
        }
      }
    }
    EXPECT_EQ(pool.in_use(), 0u);
  }
}

// Lockset finds what is unprotected whatever the order; a program that keeps one lock a variable
// is never reported, in any interleaving.
TEST(Lockset, ProgramsThatKeepTheDisciplineAreNotReported) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    analyze::Random random(seed);
    for (const Lockset::Settings& s : {Lockset::Settings{}, with_blocks(16), write_barrier()}) {
      On on(s);
      on(alloc_of(kMain, kObject, 64));
      for (unsigned i = 0; i < 200; ++i) {
        const auto t = static_cast<unsigned>(random.below(4));
        const std::uint64_t field = random.below(8);
        const Address a = kObject + 8 * field;
        on({acq(t, kL + field), random.below(2) == 0 ? rd(t, a) : wr(t, a), rel(t, kL + field)});
      }
      ASSERT_TRUE(on.races().empty()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace steward::test
