// Which locks a thread holds: for reports.
#pragma once

#include "runtime/sync/sync_object.h"

namespace steward::rt {

void lock_taken(ThreadState& t, uptr a, bool write, uptr pc, SyncKind kind = SyncKind::Mutex);
void lock_given(ThreadState& t, uptr a);
const char* lock_kind(uptr a);
StackId lock_created(uptr a);

}  // namespace steward::rt
