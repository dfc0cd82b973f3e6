// The live detector's accesses and locks, through the very hooks that compilers call, against
// core's FastTrack with a cell for each byte and clocks of its own: in random executions of several
// threads they agree on every byte that races. All forms of a cell come up: runs, halves, readers,
// crowds, lists; owned and everybody's regions.
//
// Built with PACER, threads begin and end to sample now and then. It must find a race with the last
// sampled accesses to a byte that nothing has discarded (PACER paper, Table 4), and nothing but
// races with sampled accesses; in between it may keep one for longer.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <tuple>
#include <vector>

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "runtime/abi/hook.h"
#include "runtime/intercept/range.h"
#include "runtime/mem/pages.h"
#include "runtime/record/report.h"
#include "runtime/sample/period.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/owner.h"
#include "runtime/shadow/step.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/grace.h"

// What the rest of the runtime would offer.
namespace steward::rt {
namespace {
alignas(ThreadState) unsigned char nobody[sizeof(ThreadState)];
std::vector<LiveConflict> reported;
}  // namespace
ThreadState* const no_thread = reinterpret_cast<ThreadState*>(nobody);
__thread ThreadState* current = reinterpret_cast<ThreadState*>(nobody);
__thread std::uint64_t __steward_word = 0;
__thread std::uint64_t __steward_read_word = 0;
__thread std::uint64_t __steward_crowd_word = ~std::uint64_t{0};
uptr report_race(ThreadState&, AccessKind, uptr, std::size_t, uptr, const LiveConflict& c) {
  reported.push_back(c);
  return 0;
}
void run_pending_signals(ThreadState&) {}
void first_access(AccessKind, uptr, std::size_t, uptr) {
  FAIL();
}
void adopt(ThreadState&) {
  FAIL();
}
void look_at_period(ThreadState&) {}
void increment(ThreadState& t) {
  if (!t.sampling) return;
  const Epoch next{t.latest().slot(), t.latest().clock() + 1};
#if STEWARD_SAMPLES
  t.next_version();
#endif
  t.clock.set(next.slot(), next.clock());
  t.set_epoch(next);
}

// Other threads stand still while one collects.
namespace {
void (*each_met)(void (*f)(std::uint64_t word));
}
bool Grace::begin() {
  return true;
}
bool Grace::is_over(const ThreadState&) {
  return true;
}
void each_crowd_word(void (*f)(std::uint64_t word)) {
  each_met(f);
}
static void collect_all(ThreadState& t) {
  crowd::is_due = true;
  while (crowd::is_due) crowd::collect(t);
}

namespace {

// The last are more than a list has room for inside (shadow/access_list.h).
constexpr unsigned kThreads = 14, kManyThreads = 80, kMoreThreads = 130;
constexpr unsigned kLocks = 4;  // the last is for meetings
constexpr uptr kBytes = 160;  // of two regions: walks of more than a cache line of cells in either

KernelPages pages;

// FastTrack as it is written down: a new epoch after each release.
struct Reference {
  explicit Reference(Pool& pool, Slot s) : slot(s), clock(pool) { clock.set(s, 1); }
  Slot slot;
  VectorClock clock;
  bool sampling = true;
  Epoch epoch() const { return {slot, clock[slot]}; }
  bool covers(Epoch e) const { return clock.covers(e); }
  void increment() { clock.set(slot, clock[slot] + 1); }
};

// A readers-writer lock. The first of them is none: whoever likes takes and gives it.
struct Lock {
  explicit Lock(Pool& pool, uptr a) : address(a), clock(pool), readers(pool) {}
  uptr address;
  VectorClock clock, readers;
  std::vector<unsigned> reading;
  int writing = -1;
};

class Execution {
 public:
  explicit Execution(unsigned seed)
      : Execution(seed, kThreads, 1 + seed % (seed % 16 < 2 ? kThreads : 5), seed % 3 == 0,
                  seed % 4 == 1, false) {
    crowd::is_rationed = !crowded_;
    crowd::patience = crowded_ ? seed / 4 % 3 * 3 : ~0u;
  }
  // Of many threads, that read much. Their sets are too many for crowds, as a rule.
  enum class OfMany : bool { Threads };
  Execution(OfMany, unsigned seed)
      : Execution(OfMany::Threads, seed, seed % 8 == 5 ? kMoreThreads : kManyThreads) {}

 private:
  Execution(OfMany, unsigned seed, unsigned threads)
      : Execution(seed, threads, threads - seed % 16, false, true, true) {
    crowd::is_rationed = seed % 8 != 0;
    crowd::patience = seed % 3 * 3;
  }
  Execution(unsigned seed, unsigned threads, unsigned acting, bool narrow, bool crowded, bool many)
      : random_(seed),
        pool_(pages),
        acting_(acting),
        narrow_(narrow),
        crowded_(crowded),
        many_(many) {
    if (crowded_) crowd::forget_all();
    static bool once = (map_shadow(reinterpret_cast<void*>(&mmap)), owner::start(), true);
    (void)once;
    static unsigned char* memory = static_cast<unsigned char*>(
        mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    static uptr used = 0;
    // A region of its own: nobody's at first.
    base_ = reinterpret_cast<uptr>(memory) + used + owner::kRegion - kBytes / 2;
    base_ &= ~uptr{7};
    used = (used + 3 * owner::kRegion) % (60 << 20);
    if (crowded_) {  // but where crowds have been is looked through again and again
      base_ &= owner::kRegion - 1;
      base_ += (reinterpret_cast<uptr>(memory) + (61 << 20)) & ~(owner::kRegion - 1);
    }
    clear_shadow(base_, kBytes);
    static std::vector<ThreadState*> states;
    while (states.size() < threads) {
      auto* t = new (sys::map(sizeof(ThreadState))) ThreadState(pages);
      t->index = owner::give_index(*t);
      t->base = t->top = static_cast<Frame*>(sys::map(4096));
      t->low = t->floor = t->base;
      t->limit = t->base + 16;
      states.push_back(t);
    }
    threads_ = states;
    for (unsigned i = 0; i < threads; ++i) {
      threads_[i]->clock.clear();
      threads_[i]->clock.set(Slot{i}, 1);
      threads_[i]->set_epoch(Epoch{Slot{i}, 1});
      threads_[i]->history.start(14);
      threads_[i]->given = {};
      threads_[i]->beside = {};
      threads_[i]->sampling = true;
      threads_[i]->period = 1;
#if STEWARD_SAMPLES
      threads_[i]->versions.clear();
      threads_[i]->versions.set(Slot{i}, 1);
      threads_[i]->equals.clear();
#endif
      references_.emplace_back(pool_, Slot{i});
    }
    for (unsigned i = 0; i < kLocks; ++i) {
      locks_.emplace_back(pool_, base_ + kBytes + 64 * i);
      clear_shadow(locks_.back().address, 8);
    }
  }

 public:
  ~Execution() {
    for (auto& [a, c] : cells_) c.destroy(pool_);
    current = no_thread;
  }

  void step() {
    if (!narrow_ || below(12) == 0) change_thread();
    const unsigned i = acts_;
    ThreadState& t = *threads_[i];
    current = &t;
    const unsigned what = below(100);
    if (what < (narrow_ ? 14 : many_ ? 2 : crowded_ ? 8 : 4)) {
      pass_on(t, references_[i], locks_[0]);
    } else if (what < (many_ ? 3 : crowded_ ? 12 : 20)) {
      take_or_give(i, locks_[1 + below(kLocks - 2)]);
    } else if (what == 20) {
      clear();
    } else if (crowded_ && what < (many_ ? 5 : 18)) {
      meet_others(i);
      access(references_[i], kBytes / 2 - 16 + 4 * below(4), 4, true);
      if (many_) tell_others(i);
    } else if (crowd::kUsed && crowded_ && what > 97) {
      static std::map<const ThreadState*, Met>* met;
      met = &met_;
      each_met = [](void (*f)(std::uint64_t word)) {
        for (const auto& [thread, m] : *met) f(m.word);
      };
      const bool was_rationed = crowd::is_rationed;
      collect_all(t);
      if (many_) crowd::is_rationed = was_rationed;
    } else if (kSamples && what == 21) {
      turn(t, references_[i]);
    } else {
      walk(references_[i]);
    }
  }

  static unsigned reads_on_roll() {
    return reads_;
  }
  static unsigned writes_on_roll() {
    return writes_;
  }

 private:
  unsigned below(unsigned n) {
    return static_cast<unsigned>(random_() % n);
  }

  // Of those that work on few bytes, most come after the one before.
  void change_thread() {
    const unsigned before = acts_;
    acts_ = below(acting_);
    if (!narrow_ || acts_ == before || below(6) == 0) return;
    current = threads_[before];
    give(*current, references_[before], locks_[0]);
    current = threads_[acts_];
    receive(*current, references_[acts_], locks_[0]);
  }

  static void give(ThreadState& t, Reference& r, Lock& flag) {
    release_merge(t, flag.address);
    flag.clock.join(r.clock);
    r.increment();
  }
  static void receive(ThreadState& t, Reference& r, Lock& flag) {
    acquire(t, flag.address);
    r.clock.join(flag.clock);
  }
  void pass_on(ThreadState& t, Reference& r, Lock& flag) {
    if (below(2) == 0) {
      receive(t, r, flag);
    } else {
      give(t, r, flag);
    }
  }
  // Comes after all others, or all but one.
  void meet_others(unsigned i) {
    Lock& flag = locks_.back();
    clear_shadow(flag.address, 8);
    flag.clock.clear();
    const unsigned but = below(acting_);
    for (unsigned j = 0; j < acting_; ++j) {
      if (j == i || j == but) continue;
      current = threads_[j];
      give(*current, references_[j], flag);
    }
    current = threads_[i];
    receive(*current, references_[i], flag);
  }
  // All others come after this one; or all but one.
  void tell_others(unsigned i) {
    Lock& flag = locks_.back();
    give(*threads_[i], references_[i], flag);
    const unsigned but = below(acting_);
    for (unsigned j = 0; j < acting_; ++j) {
      if (j == i || j == but) continue;
      current = threads_[j];
      receive(*current, references_[j], flag);
    }
    current = threads_[i];
  }
  void take_or_give(unsigned i, Lock& lock) {
    ThreadState& t = *threads_[i];
    Reference& r = references_[i];
    const auto reads = std::find(lock.reading.begin(), lock.reading.end(), i);
    if (lock.writing == static_cast<int>(i)) {
      release(t, lock.address);
      lock.clock.copy(r.clock);
      r.increment();
      lock.writing = -1;
    } else if (reads != lock.reading.end()) {
      release_shared(t, lock.address);
      lock.readers.join(r.clock);
      r.increment();
      lock.reading.erase(reads);
    } else if (lock.writing < 0) {
      const bool write = lock.reading.empty() && below(2) == 0;
      LockedSide side(lock.address);
      acquire_lock(t, sync_at(side, lock.address), write);
      r.clock.join(lock.clock);
      if (write) {
        r.clock.join(lock.readers);
        lock.writing = static_cast<int>(i);
      } else {
        lock.reading.push_back(i);
      }
    }
  }

  // The end of a period, for this thread (sample/period.cpp).
  static void turn(ThreadState& t, Reference& r) {
    const bool was = t.sampling;
    t.sampling = true;
    increment(t);
    t.sampling = !was;
    r.increment();
    r.sampling = !was;
  }

  void clear() {
    const uptr from = below(kBytes / 8) * 8;
    forget(from, std::min<uptr>(from + 8 * (1 + below(4)), kBytes));
  }
  void forget(uptr from, uptr end) {
    clear_shadow(base_ + from, end - from);
    for (uptr b = from; b < end; ++b) {
      cells_[b].destroy(pool_);
      cells_[b] = fasttrack::Cell();
      last_[b].clear();
      sampled_[b].clear();
    }
  }

  // One access, mostly aligned, or a walk.
  void walk(const Reference& r) {
    static constexpr unsigned kSizes[] = {1, 2, 4, 8, 16, 24, 100};
    const unsigned size = crowded_ && below(many_ ? 20 : 8) != 0
                              ? 4u << below(2)
                              : kSizes[below(narrow_         ? 4
                                             : below(4) == 0 ? 7
                                                             : 6)];
    const bool write = below(many_ ? 60 : crowded_ ? 30 : 3) == 0;
    uptr from =
        narrow_ || (crowded_ && size <= 8) ? kBytes / 2 - 16 + below(16) : below(kBytes - size);
    if (below(many_ ? 20 : 4) != 0) from &= ~uptr{std::min(size, 8u) - 1};
    for (unsigned n = !narrow_ && below(3) == 0 ? 8 : 1; n > 0 && from + size <= kBytes; --n) {
      access(r, from, size, write);
      if (::testing::Test::HasFailure()) return;
      from += size;
    }
  }

  // PACER's accesses to a byte: all that were sampled, and the last ones.
  struct Sampled {
    Epoch epoch;
    bool write;
  };
  using Sampleds = std::vector<Sampled>;
  static bool races_with(const Sampleds& all, const Reference& r, bool write) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Sampled& s) { return (s.write || write) && !r.covers(s.epoch); });
  }
  // A write discards all. A read discards its thread's reads, and all that it follows if it is
  // remembered in their stead, or if there is only one.
  static void forget_last(Sampleds& all, const Reference& r, bool write) {
    const auto reads =
        std::count_if(all.begin(), all.end(), [](const Sampled& s) { return !s.write; });
    std::erase_if(all, [&](const Sampled& s) {
      if (write) return true;
      if (s.write || !r.covers(s.epoch)) return false;
      return s.epoch.slot() == r.slot || r.sampling || reads == 1;
    });
  }

  void access(const Reference& r, uptr from, unsigned size, bool write) {
    // Byte by byte: what is to be found, and what may be.
    std::vector<bool> races(kBytes + 8), may_race(kBytes + 8);
    bool any = false;
    for (uptr b = from; b < from + size; ++b) {
      if (kSamples) {
        races[b] = races_with(last_[b], r, write);
        may_race[b] = races_with(sampled_[b], r, write);
        forget_last(last_[b], r, write);
        if (r.sampling) {
          last_[b].push_back({r.epoch(), write});
          sampled_[b].push_back({r.epoch(), write});
        }
      } else {
        const auto kind = write ? AccessKind::Write : AccessKind::Read;
        fasttrack::Cell& c = cells_[b];
        if (!write && c.write().epoch == r.epoch()) continue;  // its write stands for the read
        races[b] = may_race[b] = fasttrack::access(pool_, c, r, kind, kNoSite, true).racy();
      }
      any = any || may_race[b];
    }
    reported.clear();
    call(base_ + from, size, write);
    std::vector<bool> found(kBytes + 8);
    for (const LiveConflict& c : reported) {
      // Whoever meets an epoch in the shadow finds its access in the history.
      Restored earlier;
      const History& history = threads_[raw(unpack(c.epoch).slot())]->history;
      ASSERT_TRUE(history.restore(c.epoch, c.kind, c.address, c.size, earlier));
      for (uptr b = c.address - base_; b < c.address - base_ + c.size; ++b) found[b] = true;
    }
    // A granule's report names one run of racing bytes, not each.
    for (uptr g = from & ~uptr{7}; g < from + size; g += 8) {
      bool expected = false, told = false;
      for (uptr b = g; b < g + 8; ++b) {
        expected = expected || races[b];
        told = told || found[b];
        ASSERT_TRUE(!found[b] || may_race[b]) << "byte " << b << " does not race";
      }
      if (kSamples && told) continue;
      ASSERT_EQ(told, expected) << "granule " << g << " of " << from << "+" << size
                                << (write ? " write" : " read");
    }
    // After its first race a variable is promised nothing: begin anew.
    if (any) forget(from & ~uptr{7}, (from + size + 7) & ~uptr{7});
  }

  template <unsigned Size>
  static void call(uptr a, bool write) {
    if (write) {
      rt::access<Size, true>(a, kPc + Size);
    } else {
      rt::access<Size, false>(a, kPc + Size);
    }
  }
  // What code built with the pass asks first (src/pass/inline_checks.cpp).
  template <class Part>
  static bool passes_inline(uptr a, bool write) {
    const auto* at = reinterpret_cast<const Part*>(&ShadowCell::of(a)) + (a & 7) / sizeof(Part);
    constexpr unsigned kRead = 8 / sizeof(Part);
    return at[0] == static_cast<Part>(__steward_word) ||
           (!write && (at[kRead] == static_cast<Part>(__steward_read_word) ||
                       at[kRead] == static_cast<Part>(__steward_crowd_word)));
  }
  bool passes_inline(uptr a, unsigned size, bool write) {
    show(*current);
    const Met& met = met_[current];
    if (met.epoch == current->epoch) __steward_crowd_word = met.word;
    return is_covered(a, size, write);
  }
  static bool is_covered(uptr a, unsigned size, bool write) {
    if (size > 16 || (a & (size - 1)) != 0) return false;
    if (size == 16) return is_covered(a, 8, write) && is_covered(a + 8, 8, write);
    return size == 8 ? passes_inline<std::uint64_t>(a, write)
                     : passes_inline<std::uint32_t>(a, write);
  }
  void call(uptr a, unsigned size, bool write) {
    const Word form(ShadowCell::of(a).load().write);
    if (form.is_side() && form.side<Side>()->accesses.is_on_roll()) ++(write ? writes_ : reads_);
    if (passes_inline(a, size, write)) return;
    call_hook(a, size, write);
    met_[current] = {current->epoch, __steward_crowd_word};
  }
  static void call_hook(uptr a, unsigned size, bool write) {
    switch (size) {
      case 1:
        return call<1>(a, write);
      case 2:
        return call<2>(a, write);
      case 4:
        return call<4>(a, write);
      case 8:
        return call<8>(a, write);
      case 16:
        return call<16>(a, write);
      default:
        return touch(*current, write ? AccessKind::Write : AccessKind::Read, a, size, kPc);
    }
  }
  static constexpr uptr kPc = 0x1234;

  static inline unsigned reads_ = 0, writes_ = 0;  // of what was on a roll

  std::mt19937 random_;
  Pool pool_;
  const unsigned acting_;  // threads
  const bool narrow_;      // small accesses to few bytes, in many epochs: long lists
  const bool crowded_;     // many reads, few writes and locks
  const bool many_;        // threads; and fewer writes
  struct Met {             // the crowd that a thread's inline checks know
    Epoch30 epoch;
    std::uint64_t word;
  };
  std::map<const ThreadState*, Met> met_;
  unsigned acts_ = 0;
  uptr base_ = 0;
  std::vector<ThreadState*> threads_;
  std::vector<Reference> references_;
  std::vector<Lock> locks_;
  std::map<uptr, fasttrack::Cell> cells_;
  std::map<uptr, Sampleds> last_, sampled_;
};

TEST(Shadow, AgreesWithCoreByteByByte) {
  for (unsigned seed = 1; seed <= 10000; ++seed) {
    Execution e(seed);
    for (unsigned i = 0; i < 150; ++i) {
      e.step();
      if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
  }
}

// The same of many threads: their lists come to rolls and from them.
TEST(Shadow, AgreesWithCoreWhereManyRead) {
  const unsigned reads = Execution::reads_on_roll(), writes = Execution::writes_on_roll();
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Execution e(Execution::OfMany::Threads, seed);
    for (unsigned i = 0; i < 600; ++i) {
      e.step();
      if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
  }
  if (!crowd::kUsed) return;  // nor has it rolls
  EXPECT_GT(Execution::reads_on_roll() - reads, 10'000u);
  EXPECT_GT(Execution::writes_on_roll() - writes, 200u);
}

// A number that a thread's inline checks still compare with is not given to another crowd.
TEST(Shadow, NumbersInUseAreKept) {
  if (!crowd::kUsed) GTEST_SKIP() << "this tool has no crowds";
  Execution e(1);  // maps the shadow
  crowd::is_rationed = false;
  static Epoch30 known;
  each_met = [](void (*f)(std::uint64_t word)) { f(Word::uniform(known).bits()); };
  ThreadState t(pages);
  t.set_epoch(Epoch{Slot{0}, 1});
  const auto make = [](Epoch30 first) {
    Epoch30 epochs[] = {first, first + 1, first + 2};
    Epoch30 made = 0;
    EXPECT_TRUE(crowd::make(epochs, 3, made));
    return made;
  };
  collect_all(t);  // what other tests have left
  known = make(1);
  const Epoch30 other = make(11);
  collect_all(t);
  EXPECT_EQ(make(21), other) << "a number that is free is used again";
  EXPECT_NE(make(31), known);
  EXPECT_EQ(make(1), known);
}

// In a slot of its own, at clock 5.
ThreadState* make_thread(unsigned slot) {
  ThreadState* const t = new (sys::map(sizeof(ThreadState))) ThreadState(pages);
  t->index = owner::give_index(*t);
  t->base = t->top = static_cast<Frame*>(sys::map(4096));
  t->low = t->floor = t->base;
  t->limit = t->base + 16;
  t->clock.set(Slot{slot}, 5);
  t->set_epoch(Epoch{Slot{slot}, 5});
  t->history.start(14);
  t->period = 1;
  return t;
}
uptr fresh(std::size_t size) {
  return reinterpret_cast<uptr>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

// Halves that were not all written, and that many read: an int beside padding, say.
TEST(Shadow, AHalfThatManyReadBecomesACrowds) {
  if (!crowd::kUsed) GTEST_SKIP() << "this tool has no crowds";
  Execution e(1);  // maps the shadow
  crowd::forget_all();
  crowd::is_rationed = false;
  crowd::patience = 0;
  const uptr a = fresh(4096);
  current = make_thread(0);
  access<4, true>(a, 0x1000);
  for (unsigned slot = 1; slot < 6; ++slot) {
    current = make_thread(slot);
    current->clock.set(Slot{0}, 5);  // it comes after the write
    for (unsigned i = 0; i < 2; ++i) access<4, false>(a, 0x1010);
    EXPECT_FALSE(Word(ShadowCell::of(a).load().write).is_side()) << slot << " readers";
  }
  EXPECT_TRUE(crowd::is_in(Word(ShadowCell::of(a).load().read)));
  current = no_thread;
  crowd::patience = ~0u;
}

// What a list says that has been on a roll: all that was there, less the bytes of reads that the
// thread's own, of these bytes, comes after.
TEST(Shadow, AListIsTheSameAfterARoll) {
  if (!crowd::kUsed) GTEST_SKIP() << "this tool has no rolls";
  Pool pool(pages);
  for (const unsigned readers : {3u, 50u, 700u}) {  // marks inside the list, and beside it
    crowd::forget_all();
    ThreadState& t = *make_thread(2);
    t.clock.set(Slot{4}, 5);
    t.clock.set(Slot{5}, 5);
    std::map<Epoch30, unsigned> expected;
    AccessList list;
    const auto add = [&](unsigned slot, AccessKind kind, unsigned mask, unsigned kept) {
      const Epoch30 e = pack(Epoch{Slot{slot}, 5});
      list.add(pool, {e, kind, static_cast<AccessList::Mask>(mask)});
      if (kept != 0) expected[e] = kept;
    };
    add(1, AccessKind::Write, 0x7e, 0x7e);
    add(2, AccessKind::Read, 0x0f, 0x0f);  // this thread's
    add(4, AccessKind::Read, 0xff, 0xf0);
    add(5, AccessKind::Read, 0x0f, 0);
    for (unsigned slot = 6; slot < 6 + readers; ++slot) {
      const unsigned mask = slot % 3 == 0 ? 0x0f : slot % 3 == 1 ? 0xf0 : 0xff;
      add(slot, AccessKind::Read, mask, mask);
    }
    Roll* const roll = Roll::hold_for(t, true);
    ASSERT_NE(roll, nullptr);
    ASSERT_TRUE(list.go_on_roll(pool, *roll, t, t.epoch));
    EXPECT_TRUE(list.is_on_roll());
    EXPECT_FALSE(list.are_few());
    const auto reads = [&](unsigned slot, unsigned mask) {
      return list.has(pack(Epoch{Slot{slot}, 5}), false, static_cast<AccessList::Mask>(mask),
                      [] { return true; });
    };
    EXPECT_TRUE(reads(2, 0x0f));
    EXPECT_TRUE(reads(2, 0x06));
    EXPECT_FALSE(reads(2, 0x18));
    EXPECT_FALSE(reads(3, 0x0f));
    EXPECT_TRUE(reads(8, 0xff));
    EXPECT_FALSE(reads(6 + readers, 0x0f));
    list.list_out(pool);
    std::map<Epoch30, unsigned> found;
    for (const AccessList::Entry& e : list) {
      EXPECT_EQ(is_write(e.kind), e.epoch == pack(Epoch{Slot{1}, 5}));
      EXPECT_EQ(found.count(e.epoch), 0u);
      found[e.epoch] = e.mask;
    }
    EXPECT_EQ(found, expected);
    list.begin_anew(pool);
  }
  EXPECT_EQ(pool.in_use(), 0u);
}

// A list that goes to rolls and from them, as two granules' by turns, while threads ask it without
// the lock: nobody is told of a read that there is not.
TEST(Shadow, MarksAreAskedForWhileListsChange) {
  if (!crowd::kUsed) GTEST_SKIP() << "this tool has no rolls";
  Pool pool(pages);
  constexpr unsigned kReader = 7;
  const auto epoch_of = [](unsigned slot, Clock clock) { return pack(Epoch{Slot{slot}, clock}); };
  for (const unsigned slots : {40u, 200u}) {  // inside, and beside the list
    crowd::forget_all();
    // The reader was there in one life at clock 5, by the first roll; by the second, it would be
    // at clock 6.
    ThreadState& t = *make_thread(kReader);
    Roll* const first = Roll::hold_for(t, true);
    t.set_epoch(Epoch{Slot{kReader}, 6});
    t.clock.set(Slot{kReader}, 6);
    Roll* const second = Roll::hold_for(t, true);
    ASSERT_NE(first, second);
    AccessList list;
    std::atomic<bool> ends{false};
    std::atomic<unsigned> asked{0}, seen{0}, wrong{0};
    std::thread reader([&] {
      while (!ends) {
        for (unsigned i = 0; i < 100; ++i) {
          const auto always = [] { return true; };
          if (list.has(epoch_of(kReader, 5), false, 0xff, always)) ++seen;
          if (list.has(epoch_of(kReader, 6), false, 0x0f, always)) ++wrong;
        }
        ++asked;
      }
    });
    const ThreadState& nobody_else = *make_thread(1);
    for (unsigned n = 0; n < 20'000 || asked < 10; ++n) {
      const bool there = n % 2 == 0;
      list.add(pool, {epoch_of(0, 5), AccessKind::Write, 0xff});
      for (unsigned slot = 2; slot < slots; slot += 11) {
        list.add(pool, {epoch_of(slot, 5), AccessKind::Read, 0xff});
      }
      if (there) list.add(pool, {epoch_of(kReader, 5), AccessKind::Read, 0xff});
      Roll* const roll = there ? first : second;
      roll->hold();
      ASSERT_TRUE(list.go_on_roll(pool, *roll, nobody_else, nobody_else.epoch));
      if (n % 4 < 2) {
        ASSERT_TRUE(list.attend(nobody_else, nobody_else.epoch, 0xf0, [](auto...) {}));
      }
      if (n % 64 == 0) std::this_thread::yield();
      list.list_out(pool);
      list.begin_anew(pool);
    }
    ends = true;
    reader.join();
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(seen, 0u);
    first->let_go();
    second->let_go();
  }
}

// A region that nobody has is passed over when a large block is freed: so histories that move
// there, and sides, must make it somebody's.
TEST(Shadow, WhatIsInALargeBlockIsSeenWhenItIsFreed) {
  Execution e(1);  // maps the shadow
  constexpr std::size_t kSize = 1 << 20;
  ThreadState* const threads[2] = {make_thread(0), make_thread(1)};
  const auto races_when_freed = [&](uptr block) {
    current = threads[1];
    reported.clear();
    check_last(*threads[1], block, kSize, 0x1000);
    current = no_thread;
    return !reported.empty();
  };
  current = threads[0];
  const uptr from = fresh(kSize), to = fresh(kSize), with_side = fresh(kSize),
             untouched = fresh(kSize);
  check_access(*threads[0], AccessKind::Write, from + kSize / 2, 8, 0x1000);
  move_shadow(from, to, kSize);
  {
    LockedSide side(with_side + kSize / 2);
    LiveConflicts none;
    check_side(*threads[0], AccessKind::AtomicWrite, side, with_side + kSize / 2, 8, none);
  }
  EXPECT_TRUE(races_when_freed(to));
  EXPECT_TRUE(races_when_freed(with_side));
  EXPECT_TRUE(races_when_freed(from));
  EXPECT_FALSE(races_when_freed(untouched));
  EXPECT_TRUE(owner::is_nobodys(untouched + kSize / 2));
}

// Of a list in any form: what this epoch has accessed, byte by byte.
TEST(Shadow, AccessesOfThisEpochAreSeenInAList) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned seen_whole = 0;
  for (unsigned n = 0; n < 100'000; ++n) {
    const Epoch30 now = pack(Epoch{Slot{3}, 2000});
    const unsigned others = below(3) == 0 ? below(3) : 0;
    AccessList::Entry all[6];
    const unsigned size = 3 + below(4);
    const unsigned span = below(2) == 0 ? 64 : 1100;
    for (unsigned i = 0; i < size; ++i) {
      const Epoch30 e = now - below(2) * below(span);
      const unsigned from = below(8), to = from + 1 + below(8 - from);
      all[i] = {i < others ? pack(Epoch{Slot{4}, 200}) : e,
                below(2) == 0 ? AccessKind::Read : AccessKind::Write, bytes_of(from, to)};
    }
    ShadowCell cell;
    if (!ShortList::encode(all, all + size, cell)) continue;
    for (const bool write : {false, true}) {
      unsigned made = 0;
      for (unsigned i = 0; i < size; ++i) {
        if (all[i].epoch == now && (!write || is_write(all[i].kind))) made |= all[i].mask;
      }
      for (unsigned from = 0; from < 8; ++from) {
        for (unsigned to = from + 1; to <= 8; ++to) {
          const auto mask = bytes_of(from, to);
          const bool whole = (mask & ~made) == 0;
          ASSERT_EQ(ShortList::has(cell, now, write, mask), whole) << from << ", " << to;
          seen_whole += whole ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(seen_whole, 100'000u);
}

// One thread's reads and writes of parts of a granule, over hundreds of its epochs: the form that
// holds six of them says the same after each step as a list does.
TEST(Shadow, SixAccessesOfOneThreadAreAList) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto sorted = [](const ShortList& list) {
    std::vector<std::tuple<Epoch30, AccessKind, unsigned>> all;
    for (const AccessList::Entry& e : list) all.emplace_back(e.epoch, e.kind, e.mask);
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto is_six = [](const ShadowCell& c) {
    return Word(c.write).is_list() && c.read >> 61 == (4 | SixOfOne::kForm);
  };
  unsigned grown = 0;
  for (unsigned n = 0; n < 5000; ++n) {
    ThreadState t(pages);
    ShadowCell cell{0, 0};
    Epoch now{Slot{3}, 1};
    const unsigned steps = 1 + below(300);
    for (unsigned i = 0; i < 60; ++i) {
      if (below(3) != 0) now = Epoch{now.slot(), now.clock() + 1 + below(steps)};
      t.clock.set(now.slot(), now.clock());
      t.set_epoch(now);
      const bool write = below(2) == 0;
      const unsigned from = below(8), to = from + 1 + below(std::min(8 - from, 3u));
      const auto mask = bytes_of(from, to);
      ShortList list = ShortList::of(cell);
      bool made = true;  // in this epoch; a write stands for a read
      for (unsigned b = from; b < to; ++b) {
        made =
            made && std::any_of(list.begin(), list.end(), [&](const AccessList::Entry& e) {
              return e.epoch == t.epoch && (e.mask >> b & 1) != 0 && (!write || is_write(e.kind));
            });
      }
      if (is_six(cell)) {
        ASSERT_EQ(ShortList::has(cell, t.epoch, write, mask), made);
        ASSERT_TRUE(ShortList::is_past_of(t, cell));
      }
      list.access(View{t, now}, t.epoch, write ? AccessKind::Write : AccessKind::Read, mask, true,
                  [](AccessKind, Epoch30, unsigned) { FAIL(); });
      ShadowCell next;
      if (is_six(cell) && ShortList::grow(t, write, mask, cell, next)) {
        ASSERT_TRUE(is_six(next));
        ASSERT_EQ(sorted(ShortList::of(next)), sorted(list));
        ++grown;
      } else if (!encode(list.begin(), list.end(), next)) {
        break;
      }
      cell = next;
      ASSERT_EQ(sorted(ShortList::of(cell)), sorted(list));
      if (!is_six(cell)) continue;
      // Another thread, which is behind by a step.
      ThreadState other(pages);
      other.clock.set(now.slot(), now.clock() - 1);
      ASSERT_EQ(ShortList::is_past_of(other, cell), SixOfOne::decode(cell).latest < t.epoch);
    }
  }
  EXPECT_GT(grown, 10'000u);
}

// Two halves, each read by a few: a list that has no room for all of them is none.
TEST(Shadow, FewReadersInCrowdsAreAllKept) {
  if (!crowd::kUsed) GTEST_SKIP() << "this tool has no crowds";
  Execution e(1);  // maps the shadow
  crowd::is_rationed = false;
  const auto reader = [](unsigned i) { return Epoch{Slot{1 + i}, 5}; };
  ShortList full;  // and one access more
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_TRUE(full.has_room());
    full.add({pack(reader(i)), AccessKind::Read, 1});
  }
  EXPECT_FALSE(full.has_room());
  unsigned listed = 0;
  for (unsigned low = 1; low <= 4; ++low) {
    for (unsigned high = 1; high <= 4; ++high) {
      for (unsigned late = 0; late < low + high; ++late) {  // whom the access does not come after
        ThreadState t(pages);
        const Epoch now{Slot{12}, 1};
        t.clock.set(now.slot(), now.clock());
        t.set_epoch(now);
        t.sampling = true;
        Epoch30 halves[2], epochs[4];
        for (unsigned i = 0; i < low; ++i) epochs[i] = pack(reader(i));
        ASSERT_TRUE(crowd::make(epochs, low, halves[0]));
        for (unsigned i = 0; i < high; ++i) epochs[i] = pack(reader(low + i));
        ASSERT_TRUE(crowd::make(epochs, high, halves[1]));
        for (unsigned i = 0; i < low + high; ++i) {
          if (i != late) t.clock.set(reader(i).slot(), reader(i).clock());
        }
        const ShadowCell seen{0, Word::halves(halves[0], halves[1]).bits()};
        const View v{t, now};
        ShadowCell next;
        LiveConflicts found;
        // A write to all meets it, after a read of a part at last.
        if (!advance_list(v, true, seen, 0, 8, 0, next, found)) {
          EXPECT_GT(low + high, 3u);
          continue;
        }
        EXPECT_EQ(found.count, 1u) << low << " and " << high << " readers, late " << late;
        ++listed;
        if (!advance_list(v, false, seen, 3, 5, 0, next, found)) continue;
        const ShortList list = ShortList::of(next);
        EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const AccessList::Entry& entry) {
          return entry.epoch == pack(reader(late));
        }));
      }
    }
  }
  EXPECT_GT(listed, 20u);
}

// A cell is loaded word by word. Readers' write word and the read word of a list that came in
// between look like readers of which one reads again: nothing may be put into that list.
TEST(Shadow, ReadWordOfAListIsLeftAlone) {
  const Epoch30 wrote = pack(Epoch{Slot{1}, 5}), read = pack(Epoch{Slot{2}, 7});
  const Epoch30 other = pack(Epoch{Slot{3}, 9}), now = read + 1;
  Readers readers;
  readers.write = wrote;
  readers.entries[0] = {read, 3};
  const AccessList::Entry entries[] = {{wrote, AccessKind::Write, 0xff},
                                       {other, AccessKind::Read, 0x20},
                                       {read, AccessKind::Read, 0xff}};
  ShadowCell list;
  ASSERT_TRUE(ShortList::encode(entries, entries + 3, list));
  const ShadowCell seen{readers.encode().write, list.read};
  ShadowCell next, cell = list;
  ASSERT_TRUE(Readers::read_again(seen, now, 2, next));
  ASSERT_EQ(next.write, seen.write);
  EXPECT_FALSE(cell.replace_reads(seen, next.read));
  EXPECT_EQ(cell, list);
  // Nor is it done where another has read meanwhile.
  const ShadowCell before = readers.encode();
  ASSERT_TRUE(Readers::read_again(before, now, 3, next));
  readers.entries[1] = {other, 1};
  const ShadowCell after = cell = readers.encode();
  ASSERT_EQ(after.write, before.write);
  EXPECT_FALSE(cell.replace_reads(before, next.read));
  EXPECT_EQ(cell, after);
}

}  // namespace
}  // namespace steward::rt
