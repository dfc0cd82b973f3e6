// All threads, living and dead: their slots, their states, who is who.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

void start_runtime();  // idempotent; the calling thread becomes the main thread
bool started();

// The calling thread. One that nobody announced is taken in as it is.
ThreadState& self();

// Algorithm 3: the parent makes the child before it starts, and the child enters. Both tell its
// handle, since either may be the first to use it.
ThreadState* make_child(ThreadState& parent, uptr pc);
void enter_thread(ThreadState& child);
void note_handle(std::uint32_t id, uptr pthread);
void abandon_child(ThreadState& child);  // it could not be started
void end_thread(ThreadState& t);         // its last event

// Null if it is no thread of ours, or detached. Waits for threads that are about to enter.
ThreadState* find_by_handle(uptr pthread);
// Algorithm 4. The handle is forgotten: its number may mean another thread next.
void join_thread(ThreadState& t, ThreadState& child);
void detach_thread(ThreadState& child);

// Language threads on this kernel thread (fibers, LARD's rule 5).
ThreadState* make_fiber(ThreadState& creator, uptr pc);
void switch_fiber(ThreadState& to);
void end_fiber(ThreadState& fiber);

void name_thread(ThreadState& t, const char* name);
const char* name_of(const ThreadInfo& info);  // "": it has none

// What any thread may know of a slot: the last clock that is over. 0: there is no such slot.
Clock told_clock(Slot s);

// For reports.
ThreadInfo* owner_of(Epoch30 e);
// The access of that epoch to a byte of the range; false if its history is gone.
bool restore_access(Epoch30 e, AccessKind kind, uptr a, std::size_t size, Restored& out);
ThreadInfo* info_of(std::uint32_t id);
// The living thread whose stack, or thread-local memory, it is; false if there is none.
struct Resident {
  std::uint32_t thread;
  bool is_tls;
  ThreadMemory extent;
};
bool thread_with_stack(uptr a, Resident& out);
bool find_extent(std::uint32_t id, ThreadMemory& out);  // of a thread; false: it has ended

// f(id, context) for each thread that has not ended; under the registry's lock.
void for_each_live_thread(void (*f)(std::uint32_t id, void* context), void* context);
// A slot that no thread will have.
Slot reserve_slot();

struct RegistryStats {
  std::uint64_t threads, migrated, forced, unchecked;
  std::size_t slots;
  std::uint64_t executions[2];  // of functions, skipped and sampled (LiteRace)
#if STEWARD_LOCKSET
  discipline::Counts lockset;
#endif
};
RegistryStats registry_stats();

void lock_registry_for_fork();
// The last of all: whoever grows a clock of its own asks for it.
void lock_thread_memory_for_fork();
void unlock_thread_memory_after_fork();
void unlock_registry_after_fork(bool child);

}  // namespace steward::rt
