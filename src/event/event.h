// What happens in a multithreaded execution, as plain data. Every front end produces these; every
// detector, simulator and trace format consumes them.
#pragma once

#include <cstdint>

#include "event/ids.h"

namespace steward {

enum class EventKind : std::uint8_t {
  Read,          // address, size, site; atomic
  Write,         // address, size, site; atomic
  Acquire,       // sync object in `address`; mode
  Release,       // sync object: its clock becomes the thread's
  ReleaseMerge,  // sync object: its clock is joined with the thread's
  Fork,          // target
  Join,          // target
  ThreadEnd,     //
  Alloc,         // address, size
  Free,          // address, size: history is cleared
  Move,          // address -> other, size: history is copied
  Switch,        // the low-level thread `thread` now runs language thread `target`
  LoadRef,       // a reference to object `other` was loaded from `address`
  StoreRef,      // a reference to object `other` was stored to `address`
  Enter,         // function `target`
  Exit,          // function `target`
  SampleBegin,   // thread, or kAllThreads
  SampleEnd,     // thread, or kAllThreads
  Instructions,  // `size` instructions executed since this thread's last event
  Stack,         // address, size: the thread's stack from now on
  SystemCall,    //
};
inline constexpr unsigned kEventKinds = 21;

// How a synchronisation object is used. It decides which clock of the object is meant and what a
// feasible trace may do; detectors see only acquire, release and release-merge.
enum class SyncMode : std::uint8_t {
  Exclusive,  // a lock, or a readers-writer lock held for writing
  Shared,     // a readers-writer lock held for reading
  Volatile,   // volatile and atomic variables: no holder
};

struct Event {
  EventKind kind{};
  SyncMode mode = SyncMode::Exclusive;
  bool atomic = false;  // Read, Write: does not race with another atomic access
  bool system = false;  // belongs to the run-time system, not to the program: not analysed
  ThreadId thread{};
  SiteId site = kNoSite;
  std::uint32_t target = 0;  // ThreadId of Fork, Join, Switch; FunctionId of Enter, Exit
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t other = 0;

  bool operator==(const Event&) const = default;

  bool is_access() const { return kind <= EventKind::Write; }
  bool is_sync() const { return kind >= EventKind::Acquire && kind <= EventKind::Join; }
  SyncId sync() const { return SyncId{address}; }
  ThreadId target_thread() const { return ThreadId{target}; }
  FunctionId function() const { return FunctionId{target}; }
};
static_assert(sizeof(Event) == 40);

}  // namespace steward
