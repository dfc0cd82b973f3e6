#include "runtime/shadow/owner.h"

#include <linux/membarrier.h>

#include "runtime/mem/lock.h"

namespace steward::rt::owner {
namespace {

bool biased = false;  // can one thread make all others run a fence?
SpinLock taking;      // guards every change of a region's word but the first owner's
ThreadState* states[kNever];
std::uint16_t count = 0;

bool membarrier(int command) {
  return !sys::failed(sys::call(SYS_membarrier, command));
}

// Under the lock, after `kTaking` was set: the owner is in no section that began before.
void wait_out(const ThreadState& owner) {
  const std::uint32_t seen = __atomic_load_n(&owner.section, __ATOMIC_ACQUIRE);
  if ((seen & 1) == 0) return;
  for (unsigned i = 0; __atomic_load_n(&owner.section, __ATOMIC_ACQUIRE) == seen; ++i) {
    if (i < 64) {
      __builtin_ia32_pause();
    } else {
      sys::yield();
    }
  }
}

// Takes the region of `a`, and with it neighbours of the same owner: a thread that walks over what
// another set up pays the fence of all threads only now and then.
void take(ThreadState& t, uptr a, std::uint16_t from) {
  constexpr unsigned kMaxRun = 64;
  const bool walks = a >> kRegionBits == t.taken_next >> kRegionBits;
  t.taken_run = walks && t.taken_run < kMaxRun ? t.taken_run * 2 : walks ? kMaxRun : 1;
  unsigned n = 0;
  for (; n < t.taken_run; ++n) {
    std::uint16_t& word = word_of(a + n * kRegion);
    if (__atomic_load_n(&word, __ATOMIC_RELAXED) != from) break;
    __atomic_store_n(&word, static_cast<std::uint16_t>(from | kTaking), __ATOMIC_RELAXED);
  }
  t.taken_next = a + n * kRegion;
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  wait_out(*states[from & kIndex]);
  const unsigned hands = (from >> kHandsShift & 7u) + 1;
  const auto next = hands > kMaxHands || t.index == kNever
                        ? kEverybody
                        : static_cast<std::uint16_t>(hands << kHandsShift | t.index);
  while (n-- > 0) __atomic_store_n(&word_of(a + n * kRegion), next, __ATOMIC_RELEASE);
}

}  // namespace

void start() {
  biased = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

std::uint16_t give_index(ThreadState& t) {
  if (!biased || count + 1 == kNever) return kNever;
  states[++count] = &t;
  return count;
}

bool claim_slow(ThreadState& t, uptr a) {
  std::uint16_t& word = word_of(a);
  for (;;) {
    std::uint16_t now = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    if (now == kEverybody) return false;
    if ((now & (kTaking | kIndex)) == t.index) return true;
    if (now == kNobody) {
      const std::uint16_t first = t.index == kNever ? kEverybody : t.index;
      __atomic_compare_exchange_n(&word, &now, first, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
      continue;
    }
    const Locked guard(taking);
    if (__atomic_load_n(&word, __ATOMIC_RELAXED) == now && (now & kTaking) == 0) take(t, a, now);
  }
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
