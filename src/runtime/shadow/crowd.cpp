#include "runtime/shadow/crowd.h"

#include <algorithm>

#include "runtime/mem/lock.h"
#include "runtime/mem/pages.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"
#include "runtime/thread/grace.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt::crowd {

std::uint64_t* memo = nullptr;

namespace {

struct Crowd {
  std::uint32_t hash;
  std::uint32_t count;
  std::uint32_t seen;  // the last round of collect() in which it was made, asked for or shown

  Epoch30* members() { return reinterpret_cast<Epoch30*>(this + 1); }  // in ascending order
  const Epoch30* members() const { return reinterpret_cast<const Epoch30*>(this + 1); }
  static std::size_t bytes(unsigned count) { return sizeof(Crowd) + count * sizeof(Epoch30); }
};

constexpr std::uint32_t kMost = kClockLimit;  // a crowd's number is a clock, and not 0
// So many are collected, and until they are fewer new ones are rationed.
constexpr std::uint32_t kMany = 1 << 16;
constexpr std::size_t kManyBytes = 32 << 20;
constexpr std::size_t kMemoBytes = sizeof(std::uint64_t) << kMemoBits;

KernelPages pages;

struct Table {
  Pool pool{pages, 4096};
  Crowd** by_number = static_cast<Crowd**>(sys::map((kMost + 1) * sizeof(Crowd*)));
  std::uint32_t* free = nullptr;  // numbers to be used again
  std::uint32_t free_count = 0;
  std::uint32_t numbers = 0;        // ever used
  std::uint32_t* hashed = nullptr;  // numbers, by their crowds' hashes; at most half full
  std::uint32_t capacity = 0;
  std::uint32_t in_hash = 0;
  std::uint32_t round = 0;
  std::uint32_t asked = 0;  // while rationed
  std::uint64_t* memo_memory = static_cast<std::uint64_t*>(sys::map(kMemoBytes));
  uptr* regions = nullptr;  // 64 KiB each, that have had crowds
  std::size_t region_count = 0, region_capacity = 0;

  std::uint32_t live() const { return numbers - free_count; }
  bool are_many() const { return live() > kMany || pool.in_use() > kManyBytes; }
  bool are_few() const { return live() < kMany / 2 && pool.in_use() < kManyBytes / 2; }

  std::uint32_t& place(std::uint32_t hash, const Epoch30* epochs, unsigned n) {
    for (std::uint32_t i = hash;; ++i) {
      std::uint32_t& number = hashed[i & (capacity - 1)];
      if (number == 0) return number;
      const Crowd& c = *by_number[number];
      if (c.hash == hash && c.count == n && std::equal(epochs, epochs + n, c.members())) {
        return number;
      }
    }
  }
  // A new hash table of those that `keeps` says.
  template <class F>
  void rehash(std::uint32_t wanted, F keeps) {
    const std::uint32_t before = capacity;
    std::uint32_t* const old = hashed;
    capacity = wanted;
    in_hash = 0;
    hashed = static_cast<std::uint32_t*>(sys::map(capacity * sizeof(std::uint32_t)));
    for (std::uint32_t i = 0; i < before; ++i) {
      if (old[i] == 0 || !keeps(*by_number[old[i]])) continue;
      const Crowd& c = *by_number[old[i]];
      place(c.hash, c.members(), c.count) = old[i];
      ++in_hash;
    }
    if (old != nullptr) sys::unmap(old, before * sizeof(std::uint32_t));
  }
  // 0: there is no such crowd yet, and there shall not be.
  Epoch30 number_of(const Epoch30* epochs, unsigned n) {
    std::uint64_t h = n;
    for (unsigned i = 0; i < n; ++i) {
      h = (h ^ epochs[i]) * 0x9e3779b97f4a7c15;
      h ^= h >> 29;
    }
    const auto hash = static_cast<std::uint32_t>(h);
    if (2 * in_hash >= capacity) {
      rehash(capacity == 0 ? 1024 : 2 * capacity, [](const Crowd&) { return true; });
    }
    std::uint32_t& number = place(hash, epochs, n);
    if (number == 0) {
      if (!is_rationed.load(std::memory_order_relaxed)) {
        if (are_many()) {
          is_rationed.store(true, std::memory_order_relaxed);
          is_due.store(true, std::memory_order_relaxed);
        }
      } else if (live() == kMost || pool.in_use() > 2 * kManyBytes) {
        return 0;
      }
      auto* c = static_cast<Crowd*>(pool.allocate(Crowd::bytes(n)));
      c->hash = hash;
      c->count = n;
      std::copy(epochs, epochs + n, c->members());
      const std::uint32_t fresh = free_count != 0 ? free[--free_count] : ++numbers;
      by_number[fresh] = c;
      number = fresh;
      ++in_hash;
    }
    by_number[number]->seen = round;
    return kNoWrite | number;
  }
  void note_region(uptr a) {
    unsigned char& byte = layout.regions[a >> 16];
    if ((__atomic_fetch_or(&byte, kHasCrowds, __ATOMIC_RELAXED) & kHasCrowds) != 0) return;
    if (region_count == region_capacity) {
      const std::size_t larger = std::max<std::size_t>(512, 2 * region_capacity);
      auto* all = static_cast<uptr*>(sys::map(larger * sizeof(uptr)));
      std::copy(regions, regions + region_count, all);
      if (regions != nullptr) sys::unmap(regions, region_capacity * sizeof(uptr));
      regions = all;
      region_capacity = larger;
    }
    regions[region_count++] = a >> 16 << 16;
  }
  void see(Epoch30 half) {
    Crowd* const c = is(half) ? by_number[half & kClockLimit] : nullptr;
    if (c != nullptr) c->seen = round;
  }
};

SpinLock lock;  // guards the table; crowds in it are read without
SpinLock collecting;
Placed<Table> table;
bool is_made = false;

void make_table() {
  if (is_made) return;
  table.make();
  is_made = true;
  __atomic_store_n(&memo, table->memo_memory, __ATOMIC_RELEASE);
}

void show_memo() {  // empty
  std::fill(table->memo_memory, table->memo_memory + (1u << kMemoBits), 0);
  __atomic_store_n(&memo, table->memo_memory, __ATOMIC_RELEASE);
}

void remember(Epoch30 now, Epoch30 reads, Epoch30 joined) {
  std::uint64_t* all = __atomic_load_n(&memo, __ATOMIC_ACQUIRE);
  if (all == nullptr) return;
  const std::uint64_t k = memo_key(now, reads);
  __atomic_store_n(&all[k & ((1u << kMemoBits) - 1)],
                   k >> kMemoBits << kClockBits | (joined & kClockLimit), __ATOMIC_RELAXED);
}

}  // namespace

Members members_of(const Epoch30& reads) {
  if (!is(reads)) return {&reads, &reads + (reads == 0 ? 0 : 1)};
  // None: the program races with its own free, which the cell has been brought back over.
  const Crowd* c = table->by_number[reads & kClockLimit];
  if (c == nullptr) return {&reads, &reads};
  return {c->members(), c->members() + c->count};
}

bool make(Epoch30* epochs, unsigned count, Epoch30& out, How how) {
  if (count < 2) {
    out = count == 0 ? 0 : epochs[0];
    return true;
  }
  if (how == How::Freely && is_rationed.load(std::memory_order_relaxed)) {
    constexpr std::uint32_t kAskAgain = 1 << 18;
    if (__atomic_add_fetch(&table->asked, 1, __ATOMIC_RELAXED) % kAskAgain == 0) {
      is_due.store(true, std::memory_order_relaxed);
    }
    return false;
  }
  // All but the last are in order already, as a rule.
  if (!std::is_sorted(epochs, epochs + count - 1)) std::sort(epochs, epochs + count - 1);
  std::rotate(std::upper_bound(epochs, epochs + count - 1, epochs[count - 1]), epochs + count - 1,
              epochs + count);
  const Locked guard(lock);
  make_table();
  out = table->number_of(epochs, count);
  return out != 0;
}

bool contains(const ThreadState& t, Epoch30 reads) {
  if (!is(reads)) return false;
  if (has(t, reads)) return true;
  const Members all = members_of(reads);
  if (!std::binary_search(all.begin(), all.end(), t.epoch)) return false;
  remember(t.epoch, reads, reads);
  return true;
}

bool join(const ThreadState& t, Epoch30 reads, Epoch30& out) {
  out = joined_before(t.epoch, reads);
  if (out != 0) return true;
  if (is_rationed.load(std::memory_order_relaxed)) return false;
  Epoch30 epochs[kLargest];
  unsigned count = 0;
  const bool lasts = epoch_lasts(t);
  for (const Epoch30 e : members_of(reads)) {
    if (!lasts && (e ^ t.epoch) >> kClockBits == 0) return false;
    if (e == t.epoch || t.covers(unpack(e))) continue;
    if (count + 1 == kLargest) return false;
    epochs[count++] = e;
  }
  epochs[count++] = t.epoch;
  if (!make(epochs, count, out)) return false;
  if (is(out)) {
    remember(t.epoch, reads, out);
    remember(t.epoch, out, out);
  }
  return true;
}

void meet(Epoch30 reads) {
  ThreadState& t = *current;
  const auto say = [&] {  // collect() waits for whoever has begun, and afterwards there is no memo
    if (joined_before(t.epoch, reads) == reads) __steward_crowd_word = Word::uniform(reads).bits();
  };
  if ((t.section & 1) != 0) return say();
  {
    const owner::Section section(t);
    say();
  }
  leave_runtime(t);
}

void note_region_slow(uptr a) {
  const Locked guard(lock);
  table->note_region(a);
}

void note_copy(uptr a, const Word& reads) {
  const Locked guard(lock);
  table->note_region(a);
  table->see(reads.low());
  table->see(reads.high());
}

// Numbers are found in cells, in the memo, in threads' inline checks, and in the hands of threads
// that are in the runtime. A number may be used again once it is in none of them:
//
// - From the beginning of the round there is no memo, and whoever was in the runtime then is waited
//   for. So a number gets into a cell only if it was in another, or make() has given it out in this
//   round.
// - Then every cell is looked at. Numbers that are in none, nor in an inline check, are no longer
//   given out by make().
// - After another wait nobody has one of them in hand, and its crowd can go.
//
// Nobody stands still for it: each step is taken by the thread that finds that its time has come.
namespace {

// Guarded by `collecting`.
enum class Phase { Idle, Begun, Sifting, Sifted } phase = Phase::Idle;
Grace grace;
std::size_t sifted = 0;  // regions
unsigned polls = 0;      // of the grace

bool begin_round() {
  {
    const Locked guard(lock);
    ++table->round;
  }
  __atomic_store_n(&memo, nullptr, __ATOMIC_RELEASE);
  if (grace.begin()) return true;
  show_memo();
  return false;
}

// Some of the regions, so that nobody is long about it; true: that was the last of them.
bool sift() {
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t n = 0; n < kAtOnce; ++n, ++sifted) {
    uptr region;
    {
      const Locked guard(lock);
      if (sifted == table->region_count) return true;
      region = table->regions[sifted];
    }
    const auto* cells = &ShadowCell::of(region);
    for (std::size_t c = 0; c < 0x10000 / 8; ++c) {
      const Word reads(__atomic_load_n(&cells[c].read, __ATOMIC_RELAXED));
      if (!is_in(reads)) continue;
      table->see(static_cast<Epoch30>(reads.bits()));
      table->see(static_cast<Epoch30>(reads.bits() >> 32));
    }
  }
  return false;
}

void forget_unseen() {
  each_crowd_word([](std::uint64_t word) { table->see(static_cast<Epoch30>(word)); });
  {
    const Locked guard(lock);
    const std::uint32_t round = table->round;
    table->rehash(table->capacity, [&](const Crowd& c) { return c.seen == round; });
  }
  grace.begin();
}

void free_unseen() {
  {
    const Locked guard(lock);
    Table& all = *table;
    if (all.free == nullptr) {
      all.free = static_cast<std::uint32_t*>(sys::map((kMost + 1) * sizeof(std::uint32_t)));
    }
    for (std::uint32_t n = 1; n <= all.numbers; ++n) {
      Crowd* c = all.by_number[n];
      if (c == nullptr || c->seen == all.round) continue;
      all.pool.deallocate(c, Crowd::bytes(c->count));
      all.by_number[n] = nullptr;
      all.free[all.free_count++] = n;
    }
    is_rationed.store(!all.are_few(), std::memory_order_relaxed);
  }
  show_memo();
}

// Is the time over? Whoever stays in the runtime for so long is not waited for: the round ends
// without a result.
bool is_over(const ThreadState& t) {
  constexpr unsigned kPatience = 100'000;
  if (grace.is_over(t)) return true;
  if (++polls < kPatience) return false;
  show_memo();
  phase = Phase::Idle;
  return false;
}

void take_step(const ThreadState& t) {
  switch (phase) {
    case Phase::Idle:
      polls = 0;
      if (begin_round()) phase = Phase::Begun;
      break;
    case Phase::Begun:
      if (!is_over(t)) break;
      sifted = 0;
      phase = Phase::Sifting;
      [[fallthrough]];
    case Phase::Sifting:
      if (!sift()) break;
      forget_unseen();
      polls = 0;
      phase = Phase::Sifted;
      break;
    case Phase::Sifted:
      if (!is_over(t)) break;
      free_unseen();
      phase = Phase::Idle;
  }
}

}  // namespace

void collect(ThreadState& t) {
  if (t.busy != 0 || t.epoch == 0) return;
  const RuntimeScope scope(t);
  if (!collecting.try_lock()) return;
  if (is_made) take_step(t);
  if (phase == Phase::Idle) is_due.store(false, std::memory_order_relaxed);
  collecting.unlock();
}

void lock_for_fork() {
  lock.lock();
  Roll::lock_for_fork();
}
void unlock_after_fork(bool child) {
  if (child) {  // who collected is not in this process
    collecting.unlock();
    phase = Phase::Idle;
    is_due.store(false, std::memory_order_relaxed);
    if (is_made && memo == nullptr) show_memo();
  }
  Roll::unlock_after_fork();
  lock.unlock();
}
void forget_all() {
  if (is_made) show_memo();
  Roll::forget_latest();
}

}  // namespace steward::rt::crowd
