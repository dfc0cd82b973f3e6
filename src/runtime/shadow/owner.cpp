#include "runtime/shadow/owner.h"

#include <algorithm>
#include <cpuid.h>
#include <linux/membarrier.h>

#include "runtime/mem/lock.h"
#include "runtime/shadow/alone.h"
#include "runtime/shadow/cell.h"
#include "runtime/tool.h"

namespace steward::rt::owner {
namespace {

bool biased = false;  // can one thread make all others run a fence?
SpinLock taking;      // guards every change of an owner but the first
ThreadState* states[kNever];
std::uint16_t count = 0;

// Regions that are somebody's, by number, for PACER's sweep. Under `taking`.
constexpr std::size_t kMaxTouched = std::size_t{1} << 26;  // a terabyte
Touched* touched = nullptr;
std::size_t touched_count = 0;

bool membarrier(int command) {
  return !sys::failed(sys::call(SYS_membarrier, command));
}

// Under the lock, after `kTaking` was set: the owner is in no section that began before.
void wait_out(const ThreadState& owner) {
  const std::uint32_t seen = __atomic_load_n(&owner.section, __ATOMIC_ACQUIRE);
  if ((seen & 1) == 0) return;
  for (unsigned i = 0; __atomic_load_n(&owner.section, __ATOMIC_ACQUIRE) == seen; ++i) {
    pause_or_yield(i);
  }
}

// Takes the region of `a`, and with it neighbours of the same owner: a thread that walks over what
// another set up pays the fence of all threads only now and then.
void take(ThreadState& t, uptr a, RegionWord from) {
  constexpr unsigned kMaxRun = 64;
  // Who does not sample only discards, here and there: what it comes to is everybody's at once, and
  // its neighbours with it.
  const bool discards = kSamples && !t.sampling;
  const bool walks = a >> kRegionBits == t.taken_next >> kRegionBits;
  t.taken_run = discards || (walks && t.taken_run >= kMaxRun) ? kMaxRun
                : walks                                       ? t.taken_run * 2
                                                              : 1;
  unsigned n = 0;
  for (; n < t.taken_run; ++n) {
    RegionWord& word = word_of(a + n * kRegion);
    if (__atomic_load_n(&word, __ATOMIC_RELAXED) != from) break;
    __atomic_store_n(&word, from | kTaking, __ATOMIC_RELAXED);
  }
  t.taken_next = a + n * kRegion;
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  wait_out(*states[from & kIndex]);
  const unsigned hands = (from >> kHandsShift & 7u) + 1;
  const RegionWord next = hands > kMaxHands || discards || t.index == kNever
                              ? kEverybody
                              : hands << kHandsShift | t.index;
  while (n-- > 0) __atomic_store_n(&word_of(a + n * kRegion), next, __ATOMIC_RELEASE);
}

// Is a neighbour somebody's? Then most of this region will be used as well.
bool is_among_used(uptr a) {
  return !is_nobodys(a + kRegion) || (a >= kRegion && !is_nobodys(a - kRegion));
}

// A region that is nobody's gets its first owner. Its shadow is about to be written, and each page
// is read before: that of zeros which the kernel gives for it would be replaced when its time comes,
// and all processors told. So it is made at once, if it will not be for little. With PACER it has
// often been read here and there long before.
void give_first(uptr a, RegionWord owner) {
  RegionWord nobody = kNobody;
  auto given = [&] {
    return __atomic_compare_exchange_n(&word_of(a), &nobody, owner, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
  };
  if constexpr (kSamples) {
    {
      const Locked guard(taking);
      if (!given()) return;
      if (touched_count < kMaxTouched) {
        touched[touched_count++] = (a & (kAddressSpace - 1)) >> kRegionBits;
      }
    }
  } else if (!given()) {
    return;
  }
  if (kSamples || is_among_used(a)) sys::populate(shadow_of(a & ~(kRegion - 1)), 2 * kRegion);
}

}  // namespace

void start() {
  biased = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  unsigned a, b, c = 0, d;
  has_whole_stores = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_AVX) != 0;
  may_be_alone = kMayBeAlone && has_whole_stores;
  if constexpr (kSamples) touched = static_cast<Touched*>(sys::map(kMaxTouched * sizeof(Touched)));
}

bool fence_all() {
  return biased && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

std::uint16_t give_index(ThreadState& t) {
  if (!biased || count + 1 == kNever) return kNever;
  states[++count] = &t;
  return count;
}

bool claim_slow(ThreadState& t, uptr a) {
  RegionWord& word = word_of(a);
  for (;;) {
    const RegionWord now = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    if ((now & kEverybody) != 0) return false;
    if (is_of(now, t)) return true;
    if (now == kNobody) {
      give_first(a, t.index == kNever ? kEverybody : t.index);
      continue;
    }
    const Locked guard(taking);
    if (__atomic_load_n(&word, __ATOMIC_RELAXED) == now && (now & kTaking) == 0) take(t, a, now);
  }
}

void claim_for_all(uptr a) {
  if (__atomic_load_n(&word_of(a), __ATOMIC_ACQUIRE) == kNobody) give_first(a, kEverybody);
}

Touched* take_touched(std::size_t& listed) {
  taking.lock();
  listed = touched_count;
  for (std::size_t i = 0; i < listed; ++i) {
    RegionWord& word = layout.owners[touched[i]];
    const RegionWord now = __atomic_load_n(&word, __ATOMIC_RELAXED);
    if ((now & kEverybody) == 0) __atomic_store_n(&word, now | kTaking, __ATOMIC_RELAXED);
  }
  if (biased) {
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    for (std::uint16_t i = 1; i <= count; ++i) wait_out(*states[i]);
  }
  return touched;
}

void give_back(Touched region, bool empty) {
  RegionWord& word = layout.owners[region];
  const RegionWord now = __atomic_load_n(&word, __ATOMIC_RELAXED);
  __atomic_store_n(&word, empty ? kNobody : now & ~kTaking, __ATOMIC_RELEASE);
}

void keep_touched(std::size_t left) {
  touched_count = left;
  taking.unlock();
}

void lock_for_fork() {
  taking.lock();
}
void unlock_after_fork(bool child) {
  if (child) {
    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    for (std::uint16_t i = 1; i <= count; ++i) {
      if (states[i] != current) states[i]->section = 0;  // its thread is not in this process
    }
  }
  taking.unlock();
}

}  // namespace steward::rt::owner
