// From a synchronisation event to the operations on vector clocks, for whatever keeps them.
#pragma once

#include "core/detector/sync_key.h"

namespace steward {

// `any_readers` remembers that a readers-writer lock was released by a reader: until then writers
// need not look for the readers' clock.
template <class Order>
void synchronise(Order& order, const Event& e, ThreadId t, bool& any_readers) {
  const SyncKey key = SyncKey::of(e.sync(), e.mode);
  switch (e.kind) {
    case EventKind::Acquire:
      order.acquire(t, key);
      if (any_readers && e.mode == SyncMode::Exclusive) {
        order.acquire(t, SyncKey::readers_of(e.sync()));
      }
      break;
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      if (e.mode == SyncMode::Shared) {
        any_readers = true;
        order.release_merge(t, SyncKey::readers_of(e.sync()));
      } else if (e.kind == EventKind::Release) {
        order.release(t, key);
      } else {
        order.release_merge(t, key);
      }
      break;
    case EventKind::Fork:
      order.fork(t, e.target_thread());
      break;
    case EventKind::Join:
      order.join(t, e.target_thread());
      break;
    default:
      break;
  }
}

}  // namespace steward
