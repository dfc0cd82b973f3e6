// Whose shadow it is. A 16 KiB region of the program belongs to the thread that touched it first,
// which alone changes its cells, by plain stores. Another thread that comes takes the region over,
// and after a few such times it belongs to everybody for good: then cells are changed by
// compare-and-exchange, or for a long walk by one thread alone for that time (shadow/alone.h).
//
// The owner says that it is at work (ThreadState::section is odd), looks whether the region is
// still its own, and only then changes a cell. It pays for no fence between the two: who takes the
// region makes every thread run one (membarrier), and then waits until the owner is through. So
// check and update of a cell are one step in either case.
//
// Ownership orders nothing in the detector's eyes, and a dead thread's regions are its heir's.
#pragma once

#include "runtime/shadow/layout.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt {

namespace owner {

inline constexpr unsigned kRegionBits = 14;
inline constexpr uptr kRegion = uptr{1} << kRegionBits;

// A region's word: the owner's index, how often it changed hands, and whether it is about to. Of
// everybody's: is a thread alone in it now, and how many have been.
using RegionWord = std::uint32_t;
inline constexpr RegionWord kNobody = 0;
inline constexpr RegionWord kEverybody = 1u << 31;
inline constexpr RegionWord kAlone = 1u << 30;
inline constexpr RegionWord kTaking = 0x8000;
inline constexpr std::uint16_t kIndex = 0x0fff;
inline constexpr unsigned kHandsShift = 12;
inline constexpr unsigned kMaxHands = 3;
inline constexpr std::uint16_t kNever = kIndex;  // the index of a thread that owns nothing

inline RegionWord& word_of(uptr a) {
  return layout.owners[(a & (kAddressSpace - 1)) >> kRegionBits];
}
inline bool is_of(RegionWord word, const ThreadState& t) {
  return (word & (kEverybody | kTaking | kIndex)) == t.index;
}
inline bool is(const ThreadState& t, uptr a) {
  return is_of(__atomic_load_n(&word_of(a), __ATOMIC_RELAXED), t);
}
inline bool is_everybodys(uptr a) {  // and stays so
  return (__atomic_load_n(&word_of(a), __ATOMIC_ACQUIRE) & kEverybody) != 0;
}
inline bool is_nobodys(uptr a) { return __atomic_load_n(&word_of(a), __ATOMIC_RELAXED) == kNobody; }

void start();  // once, at the runtime's start
bool fence_all();  // every thread has run a fence; false: that cannot be done
// The thread's number, for as long as its state is used.
std::uint16_t give_index(ThreadState& t);
// Makes the region the thread's own if it can be had; false: it is everybody's. Outside a section.
bool claim_slow(ThreadState& t, uptr a);
inline bool claim(ThreadState& t, uptr a) {
  const RegionWord now = __atomic_load_n(&word_of(a), __ATOMIC_ACQUIRE);
  if ((now & kEverybody) != 0) return false;
  return is_of(now, t) || claim_slow(t, a);
}

// PACER's sweep: the regions that anything was recorded in since they were last nobody's. Their
// owners are kept out until each is given back, to nobody if it is empty.
using Touched = std::uint64_t;  // a region's number
Touched* take_touched(std::size_t& listed);
void give_back(Touched region, bool empty);
void keep_touched(std::size_t left);  // after all have been: the first places are those not empty

// Ends its time alone (shadow/alone.h), which counts.
inline void leave_alone(ThreadState& t) {
  RegionWord& word = word_of(t.alone_at);
  const RegionWord now = __atomic_load_n(&word, __ATOMIC_RELAXED);
  const RegionWord count = (now + 1) & (kAlone - 1);
  __atomic_store_n(&word, kEverybody | count, __ATOMIC_RELEASE);
  t.alone_at = 0;
}

// For a side in a region that nobody has yet: it becomes everybody's, which costs no fence.
void claim_for_all(uptr a);

void lock_for_fork();
void unlock_after_fork(bool child);

// The time in which the owner looks and changes. Nothing in it waits but for others' sections, and
// for locks whose holders wait for none (the history's); a signal handler of the program waits,
// until the end of the scope around it (thread/runtime_scope.h).
class Section {
 public:
  explicit Section(ThreadState& t) : t_(t), before_(t.section) {
    __atomic_store_n(&t_.section, before_ + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~Section() {
    // Not an increment: a fault's handler has ended the section once already.
    __atomic_store_n(&t_.section, before_ + 2, __ATOMIC_RELEASE);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  ThreadState& t_;
  const std::uint32_t before_;
};

}  // namespace owner
}  // namespace steward::rt
