// Which epoch each slot's thread reads in, so that a list of many reads can say by a mark who has
// read (AccessList::attend): two bits a thread, where it would be an entry of eight bytes that is
// searched for.
//
// A roll's epochs stay as long as it has marks. A thread that goes on to another epoch gets a new
// roll, if that epoch lasts, with what may still be of use of the one before.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/shadow/word.h"

namespace steward::rt {

class ThreadState;

class Roll {
 public:
  // Do marks of its slot stand for this epoch? They do from now on if they have stood for none.
  // Only while the roll is held.
  bool admits(Epoch30 e) {
    Epoch30& mine = epochs_[e >> kClockBits];
    Epoch30 now = __atomic_load_n(&mine, __ATOMIC_RELAXED);
    if (now != 0) return now == e;
    note_slot(e >> kClockBits);
    return __atomic_compare_exchange_n(&mine, &now, e, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
           now == e;
  }
  // Of slots that have an epoch: a list may well have marks of all of them.
  unsigned slots() const { return __atomic_load_n(&slots_, __ATOMIC_RELAXED); }
  // What a mark of this slot stands for. Rolls are never unmapped: who does not hold it reads what
  // is there now, and has to ask afterwards whether it is still the roll in question.
  Epoch30 of(unsigned slot) const { return __atomic_load_n(&epochs_[slot], __ATOMIC_RELAXED); }

  // One that admits the thread's epoch, held. Null: there is none, and if this is not an epoch that
  // lasts, there shall not be; or there are too many others.
  static Roll* hold_for(const ThreadState& t, bool lasts);
  void hold() { uses_.fetch_add(1, std::memory_order_relaxed); }  // by who holds it already
  void let_go();

  static void lock_for_fork();
  static void unlock_after_fork();
  static void forget_latest();  // for tests

 private:
  static Roll* hold_latest();
  static Roll* make_latest(const ThreadState& t);
  bool try_hold();
  void note_slot(unsigned slot) {  // another, at the same time, finds it too low at worst
    if (slot >= slots()) __atomic_store_n(&slots_, slot + 1, __ATOMIC_RELAXED);
  }

  std::atomic<std::uint32_t> uses_{0};  // lists with marks, and one if it is the latest; 0: free
  unsigned slots_ = 0;
  Roll* next_free_ = nullptr;
  Epoch30 epochs_[kMaxSlots] = {};
};

}  // namespace steward::rt
