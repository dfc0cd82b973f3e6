// The reads of many threads as one number. A crowd is a set of epochs, each of a thread that has
// read the same bytes; its number stands in a read word where one reader's epoch would, as an epoch
// of a slot that is nobody's. No clock covers it, so whoever only knows single readers goes on to
// where crowds are known (shadow/step.cpp).
//
// Crowds are values: what the same epochs have read shows the same number. So there are few, the
// cells need no memory beside them, and a thread sees by one comparison that it has read a cell,
// with the number of the crowd it has met last (__steward_crowd_word).
#pragma once

#include <atomic>

#include "runtime/jumble/tool.h"
#include "runtime/shadow/layout.h"
#include "runtime/shadow/word.h"
#include "runtime/thread/thread_state.h"
#include "runtime/tool.h"

namespace steward::rt {

namespace crowd {

// PACER discards single reads, and locksets' cells are opened again: not there.
inline constexpr bool kUsed = !kSamples && !kLockset && !kTraces && !jumble::kEnabled;

// Half a word, as it stands.
constexpr bool is(std::uint32_t half) {
  return kUsed && half > kNoWrite && half <= Word::kEpoch;
}
inline bool is_in(const Word& reads) {
  return is(static_cast<std::uint32_t>(reads.bits())) ||
         is(static_cast<std::uint32_t>(reads.bits() >> 32));
}

struct Members {
  const Epoch30* first;
  const Epoch30* last;
  const Epoch30* begin() const { return first; }
  const Epoch30* end() const { return last; }
};
// Valid while the thread is in the runtime (collect()). Of a crowd; or the epoch at `reads` itself,
// none if there is none.
Members members_of(const Epoch30& reads);

// How many reads beside others' a thread makes in an epoch before it forms crowds: an epoch that
// ends soon would leave many behind that nobody meets again.
inline std::uint32_t patience = 8192;
// Are there so many crowds that each is met by few? Then only data that is read over and over has
// one made for it.
inline std::atomic<bool> is_rationed{false};
inline void note_read_beside(const ThreadState& t) {
  if (t.beside.epoch != t.epoch) {
    t.beside.epoch = t.epoch;
    t.beside.reads = 0;
    t.beside.tries = false;
  }
  ++t.beside.reads;
}
inline bool epoch_lasts(const ThreadState& t) {
  return kUsed && t.beside.epoch == t.epoch && t.beside.reads >= patience;
}
// Shall what this thread reads beside others become a crowd's?
inline bool wants(const ThreadState& t) {
  return epoch_lasts(t) && !is_rationed.load(std::memory_order_relaxed);
}
// The same for data that has a list, and that it has read before: now and then one tries.
inline bool wants_now_and_then(const ThreadState& t) {
  constexpr std::uint32_t kSeldom = 32;
  if (!epoch_lasts(t) || ++t.beside.reads % kSeldom != 0) return false;
  t.beside.tries = true;
  return true;
}

inline constexpr unsigned kLargest = 512;
enum class How : bool { Freely, Rationed };
// These epochs, each once, in any order: none, one, or a crowd. False: there is none. New ones are
// made freely unless they are rationed.
bool make(Epoch30* epochs, unsigned count, Epoch30& out, How how = How::Freely);
// Is this thread's epoch among them? If so, has() knows it from now on.
bool contains(const ThreadState& t, Epoch30 reads);
// The same of a read word, for bytes [from, from + size) of its granule. In the runtime.
inline bool contains(const ThreadState& t, const Word& reads, unsigned from, unsigned size) {
  if (!is_in(reads)) return false;
  const auto low = static_cast<std::uint32_t>(reads.bits());
  const auto high = static_cast<std::uint32_t>(reads.bits() >> 32);
  return (from >= 4 || low == t.epoch || contains(t, low)) &&
         (from + size <= 4 || high == t.epoch || contains(t, high));
}
// What has read the bytes once `t` has as well, at its epoch. What comes before that goes (whoever
// races with it later races with this read too). False: there is no such crowd, or it was in the
// last one already and its epochs do not last.
bool join(const ThreadState& t, Epoch30 reads, Epoch30& out);

// What join() has said before; 0 if that is not known any more.
inline constexpr unsigned kMemoBits = 16;
extern std::uint64_t* memo;  // null while crowds are collected, or there are none
// A permutation of 60 bits, of which the place says some and the entry the rest.
inline std::uint64_t memo_key(Epoch30 now, Epoch30 reads) {
  constexpr std::uint64_t kKey = (std::uint64_t{1} << 60) - 1;
  std::uint64_t k = std::uint64_t{reads} << 30 | now;
  k = (k ^ k >> 30) * 0x9e3779b97f4a7c15 & kKey;
  return k ^ k >> 32;
}
inline Epoch30 joined_before(Epoch30 now, Epoch30 reads) {
  const std::uint64_t* table = __atomic_load_n(&memo, __ATOMIC_ACQUIRE);
  if (table == nullptr) return 0;
  const std::uint64_t k = memo_key(now, reads);
  const std::uint64_t e = __atomic_load_n(&table[k & ((1u << kMemoBits) - 1)], __ATOMIC_RELAXED);
  return e != 0 && e >> kClockBits == k >> kMemoBits
             ? kNoWrite | static_cast<Epoch30>(e & kClockLimit)
             : 0;
}
// The crowd that this thread's inline checks know is this one, if it still is one.
void meet(Epoch30 reads);
// Has this epoch read what this crowd has? No is no answer. If it has, inline checks know it too.
inline bool has(const ThreadState& t, Epoch30 reads) {
  if (joined_before(t.epoch, reads) != reads) return false;
  // Not each time: one that meets two by turns would do nothing else.
  constexpr std::uint32_t kSeldom = 4;
  if (static_cast<Epoch30>(__steward_crowd_word) != reads && ++t.beside.met % kSeldom == 0) {
    meet(reads);
  }
  return true;
}
// The same of the halves of a read word that an access is to.
inline bool has_halves(const ThreadState& t, const Word& reads, std::uint32_t halves) {
  const auto low = static_cast<std::uint32_t>(reads.bits());
  const auto high = static_cast<std::uint32_t>(reads.bits() >> 32);
  return ((halves & 1) == 0 || low == t.epoch || (is(low) && has(t, low))) &&
         ((halves & 2) == 0 || high == t.epoch || (is(high) && has(t, high)));
}

// f(epoch, mask of the bytes it has read)
template <class F>
void each_read(const Word& reads, F f) {
  const Epoch30 low = reads.low(), high = reads.high();
  for (const Epoch30 e : members_of(low)) f(e, low == high ? 0xffu : 0x0fu);
  if (low == high) return;
  for (const Epoch30 e : members_of(high)) f(e, 0xf0u);
}

// Before a cell of this granule shows a crowd: it is to be found again.
void note_region_slow(uptr a);
inline void note_region(uptr a) {
  if ((__atomic_load_n(&layout.regions[a >> 16], __ATOMIC_RELAXED) & kHasCrowds) == 0) {
    note_region_slow(a);
  }
}
// A history was copied here, and with it what it has of crowds.
void note_copy(uptr a, const Word& reads);

// Crowds that no cell shows any more go: one of several steps to that, which is done once it is no
// longer due. Called where the thread holds nothing of the runtime's.
inline std::atomic<bool> is_due{false};
void collect(ThreadState& t);
inline void collect_now_and_then(ThreadState& t) {
  constexpr std::uint32_t kSeldom = 64;
  if (__builtin_expect(is_due.load(std::memory_order_relaxed), 0) &&
      ++t.beside.turns % kSeldom == 0) {
    collect(t);
  }
}

void lock_for_fork();
void unlock_after_fork(bool child);
void forget_all();  // for tests: all cells are clear

}  // namespace crowd
}  // namespace steward::rt
