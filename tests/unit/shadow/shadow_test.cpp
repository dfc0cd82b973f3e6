// The live detector's accesses, through the very hooks that compilers call, against core's
// FastTrack with a cell for each byte: in random executions of several threads they agree on every
// byte that races. All forms of a cell come up: runs, halves, readers, lists; owned and everybody's
// regions.
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/mman.h>
#include <vector>

#include "core/fasttrack/access.h"
#include "core/fasttrack/cell.h"
#include "runtime/abi/hook.h"
#include "runtime/intercept/range.h"
#include "runtime/mem/pages.h"
#include "runtime/record/report.h"
#include "runtime/shadow/owner.h"
#include "runtime/sync/sync_object.h"

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
uptr report_race(ThreadState&, AccessKind, uptr, std::size_t, uptr, const LiveConflict& c) {
  reported.push_back(c);
  return 0;
}
void run_pending_signals(ThreadState&) {}
void first_access(AccessKind, uptr, std::size_t, uptr) {
  FAIL();
}
void increment(ThreadState& t) {
  const Epoch next{t.now().slot(), t.now().clock() + 1};
  t.clock.set(next.slot(), next.clock());
  t.set_epoch(next);
}

namespace {

constexpr unsigned kThreads = 5;
constexpr unsigned kLocks = 3;
constexpr uptr kBytes = 64;

KernelPages pages;

class Execution {
 public:
  explicit Execution(unsigned seed) : random_(seed), pool_(pages), acting_(1 + seed % kThreads) {
    static bool once = (map_shadow(reinterpret_cast<void*>(&mmap)), owner::start(), true);
    (void)once;
    static unsigned char* memory = static_cast<unsigned char*>(
        mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    static uptr used = 0;
    // A region of its own: nobody's at first.
    base_ = reinterpret_cast<uptr>(memory) + used + owner::kRegion - kBytes / 2;
    base_ &= ~uptr{7};
    used = (used + 3 * owner::kRegion) % (60 << 20);
    clear_shadow(base_, kBytes);
    static std::vector<ThreadState*> states;
    while (states.size() < kThreads) {
      auto* t = new (sys::map(sizeof(ThreadState))) ThreadState(pages);
      t->index = owner::give_index(*t);
      t->base = t->top = static_cast<Frame*>(sys::map(4096));
      t->low = t->floor = t->base;
      t->limit = t->base + 16;
      states.push_back(t);
    }
    threads_ = states;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads_[i]->clock.clear();
      threads_[i]->clock.set(Slot{i}, 1);
      threads_[i]->set_epoch(Epoch{Slot{i}, 1});
      threads_[i]->history.start(14);
    }
    for (unsigned i = 0; i < kLocks; ++i) locks_.emplace_back(pool_);
  }
  ~Execution() {
    for (auto& [a, c] : cells_) c.destroy(pool_);
    current = no_thread;
  }

  void step() {
    ThreadState& t = *threads_[below(acting_)];
    current = &t;
    const unsigned what = below(100);
    if (what < 8) {
      t.clock.join(locks_[below(kLocks)]);
    } else if (what < 16) {
      locks_[below(kLocks)].copy(t.clock);
      increment(t);
    } else if (what == 16) {
      clear();
    } else {
      walk(t);
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void clear() {
    const uptr from = below(kBytes / 8) * 8;
    forget(from, std::min<uptr>(from + 8 * (1 + below(4)), kBytes));
  }
  void forget(uptr from, uptr end) {
    clear_shadow(base_ + from, end - from);
    for (uptr b = from; b < end; ++b) {
      cells_[b].destroy(pool_);
      cells_[b] = fasttrack::Cell();
    }
  }

  struct View {
    const ThreadState& t;
    Epoch epoch() const { return t.now(); }
    bool covers(Epoch e) const { return t.clock.covers(e); }
  };

  // One access, mostly aligned, or a walk.
  void walk(const ThreadState& t) {
    static constexpr unsigned kSizes[] = {1, 2, 4, 8, 16, 24};
    const unsigned size = kSizes[below(6)];
    const bool write = below(3) == 0;
    uptr from = below(kBytes - size);
    if (below(4) != 0) from &= ~uptr{std::min(size, 8u) - 1};
    for (unsigned n = below(3) == 0 ? 8 : 1; n > 0 && from + size <= kBytes; --n) {
      access(t, from, size, write);
      if (::testing::Test::HasFailure()) return;
      from += size;
    }
  }

  void access(const ThreadState& t, uptr from, unsigned size, bool write) {
    // Expected: byte by byte.
    std::vector<bool> races(kBytes + 8);
    bool any = false;
    for (uptr b = from; b < from + size; ++b) {
      const auto kind = write ? AccessKind::Write : AccessKind::Read;
      fasttrack::Cell& c = cells_[b];
      if (!write && c.write().epoch == t.now()) continue;  // its write stands for the read
      races[b] = fasttrack::access(pool_, c, View{t}, kind, kNoSite, true).racy();
      any = any || races[b];
    }
    reported.clear();
    call(base_ + from, size, write);
    std::vector<bool> found(kBytes + 8);
    for (const LiveConflict& c : reported) {
      for (uptr b = c.address - base_; b < c.address - base_ + c.size; ++b) found[b] = true;
    }
    // A granule's report names one run of racing bytes, not each.
    for (uptr g = from & ~uptr{7}; g < from + size; g += 8) {
      bool expected = false, told = false;
      for (uptr b = g; b < g + 8; ++b) {
        expected = expected || races[b];
        told = told || found[b];
        ASSERT_TRUE(!found[b] || races[b]) << "byte " << b << " does not race";
      }
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
  static void call(uptr a, unsigned size, bool write) {
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

  std::mt19937 random_;
  Pool pool_;
  const unsigned acting_;  // threads
  uptr base_ = 0;
  std::vector<ThreadState*> threads_;
  std::vector<VectorClock> locks_;
  std::map<uptr, fasttrack::Cell> cells_;
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

}  // namespace
}  // namespace steward::rt
