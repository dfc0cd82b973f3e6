// The lockset tool: core's Lockset (docs/detectors/lockset.md) on the program that runs.
//
// It sees what FastTrack's shadow sees: of each thread the first access to some bytes in an epoch.
// Later ones of the same epoch hold at least the locks that the first one did, and could take
// nothing from a set. When memory stops being one thread's own, its cells are emptied, so that the
// owner's next access is looked at again. FastTrack's verdicts are not used: whether two accesses
// are ordered is told by the clocks.
//
// An object is a heap block, its owner the thread that allocated it. Variables outside the heap
// have escaped as soon as there is a second thread; a stack is its thread's. One lock guards it
// all, and most accesses are answered before it (thread_part.h).
#pragma once

#include "event/race.h"
#include "runtime/shadow/layout.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt::discipline {

void start();  // once, after the options are read

void check(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc);

void second_thread();  // from now on memory can be shared
void allocated(ThreadState& t, uptr block, std::size_t size);
void freed(ThreadState& t, uptr block, std::size_t size);
// A run-time system of the program's says that an object of its own begins here.
void reborn(ThreadState& t, uptr begin, std::size_t size);
// Memory without a past, and memory whose past goes elsewhere.
void cleared(uptr a, std::size_t size);
void moved(uptr from, uptr to, std::size_t size);
void forget_stack(ThreadState& t, uptr below);

// The function whose frame `inner` was has returned: its variables are nobody's.
inline void returned(ThreadState& t, const Frame* base, const Frame* inner) {
#if STEWARD_LOCKSET
  if (t.info == nullptr || inner <= base) return;
  const uptr below = inner[-1].sp;
  if (__builtin_expect(__atomic_load_n(&t.info->open_begin, __ATOMIC_RELAXED) < below, 0)) {
    forget_stack(t, below);
  }
#else
  (void)t, (void)base, (void)inner;
#endif
}

// The barriers. A pointer that cannot be one into the heap costs one look.
void pointer_read_slow(ThreadState& t, uptr value);
void pointer_written_slow(ThreadState& t, uptr slot, uptr value);
extern bool watches_reads, watches_writes;
inline bool may_be_heap(uptr value) {
  return value < kAddressSpace && layout.heap[value >> 16] != 0;
}
inline void pointer_read(ThreadState& t, uptr value) {
  if (watches_reads && may_be_heap(value)) pointer_read_slow(t, value);
}
inline void pointer_written(ThreadState& t, uptr slot, uptr value) {
  if (watches_writes && may_be_heap(value)) pointer_written_slow(t, slot, value);
}
// Words of memory that go from one place to another may be pointers.
void copied(ThreadState& t, uptr from, uptr to, std::size_t size);
// A new thread is given its argument.
void argument_passed(ThreadState& child, uptr value);
// A hook of the pass was called: the program has barriers.
void note_barriers();

bool is_excluded_name(const char* name);

struct Stats {
  std::uint64_t accesses, owned, checked, pointers, objects, escaped, locksets, bytes;
  bool has_barriers, is_shared;
};
Stats stats();

void lock_for_fork();
void unlock_after_fork();

}  // namespace steward::rt::discipline
