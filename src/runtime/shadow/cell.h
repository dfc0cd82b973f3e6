// The shadow of one granule, and the ways to change it.
#pragma once

#include <emmintrin.h>

#include "event/race.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/layout.h"
#include "runtime/shadow/side.h"
#include "runtime/shadow/word.h"
#include "runtime/thread/thread_state.h"
#include "runtime/tool.h"

namespace steward::rt {

// Are 16 bytes loaded and stored as one? With AVX they are. Set at the runtime's start.
inline bool has_whole_stores = false;

// Read unlocked by the same-epoch checks. Changed by the region's owner (shadow/owner.h) or who is
// alone there (shadow/alone.h), or as a whole by compare-and-exchange; to and from a side only
// under the stripe's lock as well.
struct alignas(16) ShadowCell {
  std::uint64_t write;
  std::uint64_t read;

  static ShadowCell& of(uptr a) { return *reinterpret_cast<ShadowCell*>(shadow_of(a)); }
  ShadowCell load() const {
    const std::uint64_t first = __atomic_load_n(&write, __ATOMIC_ACQUIRE);
    return {first, __atomic_load_n(&read, __ATOMIC_ACQUIRE)};
  }
  // After load(), which reads one word and then the other: are both of one time? Words that are not
  // plain mean nothing beside another time's.
  bool is_still(const ShadowCell& seen) const {
    return __atomic_load_n(&write, __ATOMIC_ACQUIRE) == seen.write;
  }
  bool exchange(ShadowCell& expected, const ShadowCell& desired) {
    bool done;
    asm volatile("lock cmpxchg16b %1"
                 : "=@cce"(done), "+m"(*this), "+a"(expected.write), "+d"(expected.read)
                 : "b"(desired.write), "c"(desired.read)
                 : "memory");
    return done;
  }
  // The same, where what is there instead does not matter.
  bool replace(const ShadowCell& seen, const ShadowCell& next) {
    ShadowCell expected = seen;  // `seen` need not be in memory for it
    return exchange(expected, next);
  }
  // The same of the read word alone, which holds an epoch of this thread's, by a locked instruction
  // that takes two thirds of the time. Both words must be of one time, or it would be put into a
  // list that has come in between and means other bytes by it. Whoever changed the write word after
  // that is seen afterwards, and this read word is true of that cell too; whoever changes it later
  // has seen this. (A side's cell must not get a read word, but that has none which would be
  // expected here.)
  __attribute__((always_inline)) bool replace_reads(const ShadowCell& seen, std::uint64_t next) {
    std::uint64_t expected = seen.read;
    return is_still(seen) &&
           __atomic_compare_exchange_n(&read, &expected, next, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_RELAXED) &&
           is_still(seen);
  }
  // By the owner. The words of a list mean nothing without each other: they change as one, or
  // somebody who looks meanwhile would take bytes of one time for those of another.
  void store(const ShadowCell& seen, const ShadowCell& next) {
    if (!Word(seen.write).is_plain() && !Word(next.write).is_plain()) return store_both(next);
    store_plain(seen, next);
  }
  // One of the two is plain.
  void store_plain(const ShadowCell& seen, const ShadowCell& next) {
    if (next.write != seen.write) __atomic_store_n(&write, next.write, __ATOMIC_RELAXED);
    if (next.read != seen.read) __atomic_store_n(&read, next.read, __ATOMIC_RELAXED);
  }
  void store_both(const ShadowCell& next) {
    if (__builtin_expect(has_whole_stores, 1)) {
      _mm_store_si128(
          reinterpret_cast<__m128i*>(this),
          _mm_set_epi64x(static_cast<long long>(next.read), static_cast<long long>(next.write)));
      return;
    }
    ShadowCell expected = load();
    while (!exchange(expected, next)) {
    }
  }
  // As it is stored: with PACER, bytes that were read have a write word that is not empty, and a
  // mark stands only beside writes.
  ShadowCell shown() const {
    const Word w(write), r(read);
    if (!kSamples || !w.is_plain()) return *this;
    const bool was_read = !is_minimal(r.low()) || !is_minimal(r.high());
    const auto run = [&](Epoch30 e) { return !is_minimal(e) ? e : was_read ? kNoWrite : 0; };
    const Epoch30 low = run(w.low()), high = run(w.high());
    if (low == 0 && high == 0) return {0, 0};
    return {(low == high ? Word::uniform(low) : Word::runs(w.cut(), low, high)).bits(), read};
  }
  bool operator==(const ShadowCell&) const = default;
};
static_assert(sizeof(ShadowCell) == 16);

// A granule's side, made if there was none, for as long as this lives. Its list is written out, if
// it was on a roll.
class LockedSide {
 public:
  explicit LockedSide(uptr a, bool make = true)
      : address_(a), stripe_(stripe_of(a)), cell_(ShadowCell::of(a)) {
    stripe_.lock.lock();
    const ShadowCell seen = cell_.load();
    if (__builtin_expect(Word(seen.write).is_side(), 1)) {
      side_ = Word(seen.write).side<Side>();
      side_->accesses.lock.lock();
      if (crowd::kUsed && side_->accesses.is_on_roll()) side_->accesses.list_out(stripe_.pool);
    } else if (make) {
      this->make(seen);
    }
  }
  // A side that is no longer needed goes back to words.
  ~LockedSide() {
    if (side_ != nullptr) {
      if (may_go(*side_)) give_back();
      side_->accesses.lock.unlock();
    }
    stripe_.lock.unlock();
  }
  LockedSide(const LockedSide&) = delete;
  LockedSide& operator=(const LockedSide&) = delete;

  explicit operator bool() const { return side_ != nullptr; }
  Side& operator*() { return *side_; }
  Side* operator->() { return side_; }
  Pool& pool() { return stripe_.pool; }

  // Whether to ask if words can hold it. Not as soon as they may: fields that threads use in turns
  // would come and go at every second access. But crowds are made of long lists; and what PACER
  // does not sample must find out quickly that there is nothing.
  static bool may_go(const Side& side) {
    constexpr std::uint32_t kFew = 2;
    return side.syncs == nullptr &&
           (side.accesses.size() <= kFew || (crowd::kUsed && side.accesses.are_many()) ||
            crowd::epoch_lasts(*current) || (kSamples && !current->sampling));
  }

 private:
  // Apart, for most cells that are asked about have a side, and keep it.
  void make(ShadowCell seen);
  void give_back();

  const uptr address_;
  Stripe& stripe_;
  ShadowCell& cell_;
  Side* side_ = nullptr;
};

// Memory handed out again has no past (LARD's rule 3). Sync objects in it end.
void clear_shadow(uptr a, std::size_t bytes);
void clear_cells(uptr a, std::size_t bytes);  // where no tool knows more than the cells do
// The same, or a move, at the word of a run-time system, whatever other threads have done there.
inline void note_new_life() {
  new_lives.fetch_add(1, std::memory_order_relaxed);
}
// PACER's sweep must know whether any history was on its way meanwhile.
inline std::atomic<std::uint64_t> moves_begun{0}, moves_ended{0};
class Moving {
 public:
  Moving() {
    if (kSamples) moves_begun.fetch_add(1);
  }
  ~Moving() {
    if (kSamples) moves_ended.fetch_add(1);
  }
  Moving(const Moving&) = delete;
  Moving& operator=(const Moving&) = delete;
};
// A moved object's history goes with it (LARD's rule 4). Both 8-byte aligned.
void move_shadow(uptr from, uptr to, std::size_t bytes);

// A race found by an access of the calling thread.
struct LiveConflict {
  AccessKind kind;
  Epoch30 epoch;
  uptr address;
  std::uint32_t size;
};
struct LiveConflicts {
  static constexpr unsigned kMax = 4;
  unsigned count = 0;
  LiveConflict list[kMax];
  void add(const LiveConflict& c) {
    if (count < kMax) list[count++] = c;
  }
};

// Checks and records an access of any kind and size: every byte, exactly.
void check_access(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc);
// A write to memory whose shadow goes right afterwards: it is recorded only if it races.
void check_last(ThreadState& t, uptr a, std::size_t size, uptr pc);
// The same for a walk over elements that the program accesses one by one.
void check_run(ThreadState& t, AccessKind kind, uptr a, std::size_t size, std::size_t element,
               uptr pc);
// The same for an access inside one granule whose bytes the caller has compared already: the usual
// forms of the two words are tried first.
template <unsigned Size, bool Write>
void check_word(ThreadState& t, uptr a, uptr pc);
// The same for bytes of one granule that had a side when it was looked at, in a thread that
// samples.
void check_beside(ThreadState& t, AccessKind kind, uptr a, unsigned size, uptr pc);
// The cell of a granule after an access to bytes of it alone that races with nothing, of any form
// but a side's, or a crowd's for halves. False: it races, or words cannot hold it; nothing has been
// done then.
bool advance_in_place(const ThreadState& t, bool write, uptr a, unsigned size, ShadowCell seen,
                      ShadowCell& next);
// The same inside a granule whose side the caller holds: for atomics, whose access, synchronisation
// and effect are one step.
void check_side(const ThreadState& t, AccessKind kind, LockedSide& side, uptr a, unsigned size,
                LiveConflicts& found);
// An access that is not sampled (PACER): checked against what was sampled, of which it discards
// what it would have overwritten.
void check_unsampled(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                     std::size_t element = 0);

}  // namespace steward::rt
