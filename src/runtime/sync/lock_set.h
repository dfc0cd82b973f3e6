// Taking and giving a lock: its synchronisation, and which locks a thread holds, for reports.
#pragma once

#include "runtime/sync/sync_object.h"

namespace steward::rt {

// Algorithm 1, with what readers released as well if it is taken for writing.
void take_lock(ThreadState& t, uptr a, bool write, SyncKind kind, uptr pc);
void lock_given(ThreadState& t, uptr a);
void release_held(ThreadState& t, const HeldLock& h);  // at the thread's end
// Looks up the ids of locks taken while the thread did not sample.
void name_locks(ThreadState& t);

struct LockInfo {
  uptr address;
  SyncKind kind;
  StackId created;
};
void map_locks();  // once, at the runtime's start
const LockInfo& lock_info(std::uint32_t id);
const char* name(SyncKind kind);

}  // namespace steward::rt
