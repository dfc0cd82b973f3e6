#include "runtime/sample/census.h"

#include <algorithm>
#include <cstring>

#include "runtime/sample/period.h"
#include "runtime/shadow/cell.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/registry_inside.h"

namespace steward::rt {

void add_counts(OrderCounts& to, const ThreadState& t) {
  for (unsigned s = 0; s < 2; ++s) {
    for (unsigned r = 0; r < pacer::kOrderRules; ++r) to[s][r] += t.rules[s][r];
  }
}

void note_sampled(Epoch last) {
  const Locked guard(registry_lock);
  registry->note_sampled(last);
}

void note_joining(ThreadState& t, ThreadState* child) {
  const Locked guard(registry_lock);
  t.joining = child;
}

bool any_thread_lives() {
  const Locked guard(registry_lock);
  bool any = false;
  for_living([&](const ThreadState&) { any = true; });
  return any;
}

std::uint64_t work_so_far() {
  const Locked guard(registry_lock);
  std::uint64_t sum = registry->work_done;
  const auto work = &__steward_work - &__steward_word;
  for_living([&](ThreadState& t) {
    sum += __atomic_load_n(&t.work, __ATOMIC_RELAXED);
    if (t.shown != nullptr) sum += __atomic_load_n(t.shown + work, __ATOMIC_RELAXED);
  });
  return sum;
}

// A thread whose inline checks compare with what no cell shows asks the detector at its next
// access, and adopts the period there. One that has adopted it by itself shows what it should, and
// must keep that: nothing would make it show it again before the next period. It notes the period
// first and shows afterwards, so what it shows has not been replaced by that if it had not noted
// it.
void wake_threads(std::uint32_t period) {
  const Locked guard(registry_lock);
  const auto read_word = &__steward_read_word - &__steward_word;
  for_living([&](ThreadState& t) {
    if (t.shown == nullptr) return;
    for (std::uint64_t* shown : {t.shown, t.shown + read_word}) {
      std::uint64_t seen = __atomic_load_n(shown, __ATOMIC_ACQUIRE);
      if (__atomic_load_n(&t.period, __ATOMIC_ACQUIRE) == period) return;
      __atomic_compare_exchange_n(shown, &seen, ~std::uint64_t{0}, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED);
    }
  });
}

namespace {

// Threads that wait on a condition will have received their mutex's clock before they do anything.
// A mutex's clock is read without the registry's lock; the wait must be the same one afterwards.
class Waiters {
 public:
  void find() {
    {
      const Locked guard(registry_lock);
      for_living([&](ThreadState& t) {
        const uptr mutex = __atomic_load_n(&t.waiting_for, __ATOMIC_ACQUIRE);
        if (mutex == 0 || count_ == kMax) return;
        Waiter& w = all_[count_++];
        w.thread = &t;
        w.mutex = mutex;
        w.waits = __atomic_load_n(&t.waits, __ATOMIC_ACQUIRE);
      });
    }
    for (unsigned i = 0; i < count_; ++i) {
      LockedSide side(all_[i].mutex, false);
      if (!side) continue;
      if (const SyncObject* m = find_sync(side, all_[i].mutex)) all_[i].clock.share(m->clock);
    }
  }
  // Under the registry's lock.
  const SharedClock* clock_of(const ThreadState& t) const {
    for (unsigned i = 0; i < count_; ++i) {
      const Waiter& w = all_[i];
      if (w.thread != &t) continue;
      const bool same = __atomic_load_n(&t.waiting_for, __ATOMIC_ACQUIRE) == w.mutex &&
                        __atomic_load_n(&t.waits, __ATOMIC_ACQUIRE) == w.waits;
      return same ? &w.clock : nullptr;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned kMax = 64;  // of more, the others are taken as they are
  struct Waiter {
    ThreadState* thread = nullptr;
    uptr mutex = 0;
    std::uint32_t waits = 0;
    SharedClock clock{no_pool()};
    static Pool& no_pool() { return *reinterpret_cast<Pool*>(alignof(Pool)); }  // it uses none
  };
  unsigned count_ = 0;
  Waiter all_[kMax];
};

// Under the registry's lock.
bool is_idle(const ThreadState& t) {
  const bool waits = __atomic_load_n(&t.idle, __ATOMIC_ACQUIRE) ||
                     __atomic_load_n(&t.waiting_for, __ATOMIC_ACQUIRE) != 0 || t.joining != nullptr;
  return waits && __atomic_load_n(&t.interrupted, __ATOMIC_ACQUIRE) == 0;
}

// What a thread has received of a slot, or will have before it does anything: one that waits for
// another's end has what the other has. Under the registry's lock.
Clock received_of(const ThreadState& t, Slot s) {
  constexpr unsigned kFar = 8;
  Clock best = 0;
  unsigned n = 0;
  for (const ThreadState* at = &t; at != nullptr && n < kFar; at = at->joining, ++n) {
    const Locked guard(const_cast<ThreadState*>(at)->clock_lock);
    best = std::max(best, at->clock[s]);
  }
  return best;
}
}  // namespace

// The caller may hold a stripe, which who waits for it may want under the registry's lock (fork).
bool is_behind_all(Epoch30 e) {
  if (!registry_lock.try_lock()) return false;
  const Epoch epoch = unpack(e);
  bool behind = true;
  for_living([&](const ThreadState& t) {
    behind = behind && received_of(t, epoch.slot()) >= epoch.clock();
  });
  registry_lock.unlock();
  return behind;
}

bool has_all(const ThreadState& t) {
  const Locked guard(registry_lock);
  for (std::uint32_t i = 0; i < registry->slots.size(); ++i) {
    if (registry->sampled[i] > t.clock[Slot{i}]) return false;
  }
  return true;
}

Received who_has_all(CommonPast& past) {
  Waiters waiters;
  waiters.find();
  const Locked guard(registry_lock);
  past.size = static_cast<std::uint32_t>(registry->slots.size());
  for (std::uint32_t i = 0; i < past.size; ++i) past.clocks[i] = kClockLimit;
  bool settled = true;
  Received received = Received::ByAll;
  const std::uint32_t period = current_period.load(std::memory_order_relaxed);
  for_living([&](ThreadState& t) {
    const SharedClock* will_receive = waiters.clock_of(t);
    bool has_all = true;
    for (std::uint32_t i = 0; i < past.size; ++i) {
      Clock best = received_of(t, Slot{i});
      if (will_receive != nullptr) best = std::max(best, (*will_receive)[Slot{i}]);
      past.clocks[i] = std::min(past.clocks[i], best);
      has_all = has_all && registry->sampled[i] <= best;
    }
    if (!has_all)
      received = std::min(received, is_idle(t) ? Received::ByTheAwake : Received::ByFew);
    // Who has not adopted the current period, in which nothing is sampled, may be at work in the
    // runtime: having read the last one before this one began, and about to sample. The fence that
    // followed the new one (sampler.cpp) makes one of the two show. Who has adopted it and still
    // samples has not noted yet what it has sampled last. Asked in this order, for both may change
    // between the looks.
    const bool adopted = __atomic_load_n(&t.period, __ATOMIC_ACQUIRE) == period;
    const bool at_work = __atomic_load_n(&t.busy, __ATOMIC_ACQUIRE) != 0;
    settled = settled && (adopted || !at_work) && !__atomic_load_n(&t.sampling, __ATOMIC_ACQUIRE);
  });
  past.settled = settled;
  return settled ? received : Received::ByFew;
}

void forget_sampled() {
  const Locked guard(registry_lock);
  std::fill(std::begin(registry->sampled), std::end(registry->sampled), 0);
}

void forget_histories() {
  const Locked guard(registry_lock);
  for_living([](ThreadState& t) { t.history.give_back(); });
  registry->forget_dead();
}

void order_counts(OrderCounts& rules) {
  const Locked guard(registry_lock);
  std::memcpy(rules, registry->rules, sizeof rules);
  for_living([&](ThreadState& t) { add_counts(rules, t); });
}

}  // namespace steward::rt
