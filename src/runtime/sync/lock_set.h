// Taking and giving a lock: its synchronisation, and which locks a thread holds, for reports.
#pragma once

#include "runtime/sync/sync_object.h"

namespace steward::rt {

// Algorithm 1, with what readers released as well if it is taken for writing.
void take_lock(ThreadState& t, uptr a, bool write, SyncKind kind, uptr pc);
void lock_given(ThreadState& t, uptr a);
const char* lock_kind(uptr a);
StackId lock_created(uptr a);

}  // namespace steward::rt
