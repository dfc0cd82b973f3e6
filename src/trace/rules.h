// What an event of each kind may hold. Both formats, in both directions, keep to this one list.
#pragma once

#include "event/event.h"
#include "trace/names.h"

namespace steward::trace {

// An access names its bytes one by one to a detector; a race names them in 32 bits.
inline constexpr std::uint64_t kMaxAccessSize = 0xffff'ffff;

constexpr bool fits(Address address, std::uint64_t size) {
  return address < kAddressEnd && size <= kAddressEnd - address;
}

// What the event should have held, or null when it is fine. Fields its kind does not use are free.
inline const char* broken_rule(const Event& e) {
  constexpr const char* kRange = "a range that ends at or below 2^63";
  constexpr const char* kThread = "one thread";
  const bool sampling = e.kind == EventKind::SampleBegin || e.kind == EventKind::SampleEnd;
  if (e.thread == kAllThreads && !sampling) return kThread;
  switch (e.kind) {
    case EventKind::Read:
    case EventKind::Write:
      if (e.size == 0 || e.size > kMaxAccessSize) return "a size from 1 to 4294967295";
      return fits(e.address, e.size) ? nullptr : kRange;
    case EventKind::Acquire:
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      if (e.mode > SyncMode::Volatile) return "a known mode";
      return e.address < kAddressEnd ? nullptr : "a sync object below 2^63";
    case EventKind::Fork:
    case EventKind::Join:
    case EventKind::Switch:
      return e.target_thread() == kAllThreads ? kThread : nullptr;
    case EventKind::Alloc:
    case EventKind::Free:
    case EventKind::Stack:
      return fits(e.address, e.size) ? nullptr : kRange;
    case EventKind::Move:
      return fits(e.address, e.size) && fits(e.other, e.size) ? nullptr : kRange;
    case EventKind::LoadRef:
    case EventKind::StoreRef:
      return e.address < kAddressEnd && e.other < kAddressEnd ? nullptr : "addresses below 2^63";
    case EventKind::Instructions:
      return e.size < kAddressEnd ? nullptr : "a count below 2^63";
    case EventKind::ThreadEnd:
    case EventKind::Enter:
    case EventKind::Exit:
    case EventKind::SampleBegin:
    case EventKind::SampleEnd:
    case EventKind::SystemCall:
      return nullptr;
  }
  return "an event of a known kind";
}

}  // namespace steward::trace
