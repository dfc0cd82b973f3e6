// What the tool `jumble` adds to the runtime (docs/classify.md): a table of jumbled locations, and
// memory that answers reads of them with any value that is legal.
//
// Calls of these from sources that both tools share stand behind `if constexpr (jumble::kEnabled)`:
// in the detector's library there is nothing of it.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt::jumble {

#ifdef STEWARD_JUMBLE  // the library that is built
inline constexpr bool kEnabled = true;
#else
inline constexpr bool kEnabled = false;
#endif

void start();  // reads what is to be jumbled; once, after the runtime's start

// The thread has released: a good time to say how far its clock is, if somebody has asked.
void released(ThreadState& t);

// Memory handed out or given back: locations in it are none any more.
void forget(uptr begin, std::size_t bytes);
// A write to any bytes is about to be made, by code that does not tell the value.
void announce_write(ThreadState& t, uptr begin, std::size_t bytes, uptr pc);

// Atomic operations on a jumbled object; false: it is none, and nothing was done. `operate` does
// the operation on the memory itself and returns the old value.
struct Operation {
  uptr address;
  unsigned size;
  int order;
  uptr pc;
};
bool atomic_load(const Operation& o, std::uint64_t& value);
bool atomic_store(const Operation& o, std::uint64_t value);
using Operate = std::uint64_t (*)(void* context);
bool atomic_modify(const Operation& o, Operate operate, void* context, std::uint64_t& old);
bool atomic_compare_exchange(const Operation& o, int failure, std::uint64_t& expected,
                             std::uint64_t desired, bool& done);
// A seq_cst fence, of a thread that has acquired and has not yet released.
void seq_cst_fence(ThreadState& t);

void lock_for_fork();
void unlock_after_fork();

}  // namespace steward::rt::jumble
