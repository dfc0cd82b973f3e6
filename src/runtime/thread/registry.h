// All threads, living and dead: their slots, their states, who is who.
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

void start_runtime();  // idempotent; the calling thread becomes the main thread
bool started();

// The calling thread. One that nobody announced is taken in as it is.
ThreadState& self();

// Algorithm 3, in three steps: the parent makes the child before it starts; the child enters; and
// the parent notes its handle.
ThreadState* make_child(ThreadState& parent, uptr pc);
void enter_thread(ThreadState& child);
void note_handle(ThreadState& child, uptr pthread, bool detached);
void abandon_child(ThreadState& child);  // it could not be started
void end_thread(ThreadState& t);         // its last event

// Algorithm 4. `pthread` is forgotten: its number may mean another thread next.
ThreadState* find_by_handle(uptr pthread);
void join_thread(ThreadState& t, ThreadState& child);
void detach_thread(ThreadState& child);

// Language threads on this kernel thread (fibers, LARD's rule 5).
ThreadState* make_fiber(ThreadState& creator, uptr pc);
void switch_fiber(ThreadState& to);
void end_fiber(ThreadState& fiber);

void name_thread(ThreadState& t, const char* name);

// For reports.
ThreadInfo* owner_of(Epoch30 e);
// The stack of the access of that epoch to a byte of the range; false if its history is gone.
bool restore_stack(Epoch30 e, AccessKind kind, uptr a, std::size_t size, Stack& out);
ThreadInfo* info_of(std::uint32_t id);
ThreadInfo* thread_with_stack(uptr a, bool& is_tls);

struct RegistryStats {
  std::uint64_t threads, migrated, forced, unchecked;
  std::size_t slots;
};
RegistryStats registry_stats();

void lock_registry_for_fork();
void unlock_registry_after_fork(bool child);

}  // namespace steward::rt
