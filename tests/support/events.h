// Short words for events in tests. A test's site is its event's index + 1 (see numbered()), so that
// a race names the two events it is between.
#pragma once

#include <vector>

#include "event/event.h"

namespace steward::test {

inline Event make(EventKind kind, unsigned thread) {
  Event e;
  e.kind = kind;
  e.thread = ThreadId{thread};
  return e;
}
inline Event access(EventKind kind, unsigned t, Address a, std::uint64_t size, bool atomic = false) {
  Event e = make(kind, t);
  e.address = a;
  e.size = size;
  e.atomic = atomic;
  return e;
}
inline Event rd(unsigned t, Address a, std::uint64_t size = 8) {
  return access(EventKind::Read, t, a, size);
}
inline Event wr(unsigned t, Address a, std::uint64_t size = 8) {
  return access(EventKind::Write, t, a, size);
}
inline Event ard(unsigned t, Address a, std::uint64_t size = 8) {
  return access(EventKind::Read, t, a, size, true);
}
inline Event awr(unsigned t, Address a, std::uint64_t size = 8) {
  return access(EventKind::Write, t, a, size, true);
}
inline Event sync(EventKind kind, unsigned t, std::uint64_t m, SyncMode mode) {
  Event e = make(kind, t);
  e.address = m;
  e.mode = mode;
  return e;
}
inline Event acq(unsigned t, std::uint64_t m) {
  return sync(EventKind::Acquire, t, m, SyncMode::Exclusive);
}
inline Event rel(unsigned t, std::uint64_t m) {
  return sync(EventKind::Release, t, m, SyncMode::Exclusive);
}
inline Event racq(unsigned t, std::uint64_t m) {
  return sync(EventKind::Acquire, t, m, SyncMode::Shared);
}
inline Event rrel(unsigned t, std::uint64_t m) {
  return sync(EventKind::ReleaseMerge, t, m, SyncMode::Shared);
}
inline Event vr(unsigned t, std::uint64_t x) {
  return sync(EventKind::Acquire, t, x, SyncMode::Volatile);
}
inline Event vw(unsigned t, std::uint64_t x) {
  return sync(EventKind::ReleaseMerge, t, x, SyncMode::Volatile);
}
inline Event vs(unsigned t, std::uint64_t x) {
  return sync(EventKind::Release, t, x, SyncMode::Volatile);
}
inline Event aimed(EventKind kind, unsigned t, unsigned target) {
  Event e = make(kind, t);
  e.target = target;
  return e;
}
inline Event fork(unsigned t, unsigned u) { return aimed(EventKind::Fork, t, u); }
inline Event join(unsigned t, unsigned u) { return aimed(EventKind::Join, t, u); }
inline Event end(unsigned t) { return make(EventKind::ThreadEnd, t); }
inline Event switch_to(unsigned low, unsigned language) {
  return aimed(EventKind::Switch, low, language);
}
inline Event enter(unsigned t, unsigned f) { return aimed(EventKind::Enter, t, f); }
inline Event leave(unsigned t, unsigned f) { return aimed(EventKind::Exit, t, f); }
inline Event range(EventKind kind, unsigned t, Address a, std::uint64_t size, Address other = 0) {
  Event e = access(kind, t, a, size);
  e.other = other;
  return e;
}
inline Event free_of(unsigned t, Address a, std::uint64_t size) {
  return range(EventKind::Free, t, a, size);
}
inline Event move_of(unsigned t, Address a, Address to, std::uint64_t size) {
  return range(EventKind::Move, t, a, size, to);
}
inline Event stack_of(unsigned t, Address a, std::uint64_t size) {
  return range(EventKind::Stack, t, a, size);
}
inline Event syscall_of(unsigned t) { return make(EventKind::SystemCall, t); }
inline Event instructions(unsigned t, std::uint64_t n) {
  return access(EventKind::Instructions, t, 0, n);
}
inline Event alloc_of(unsigned t, Address a, std::uint64_t size) {
  return range(EventKind::Alloc, t, a, size);
}
inline Event ldref(unsigned t, Address from, Address object) {
  return range(EventKind::LoadRef, t, from, 0, object);
}
inline Event stref(unsigned t, Address to, Address object) {
  return range(EventKind::StoreRef, t, to, 0, object);
}
inline Event sbegin(unsigned t) { return make(EventKind::SampleBegin, t); }
inline Event send(unsigned t) { return make(EventKind::SampleEnd, t); }
inline Event sbegin_all() { return make(EventKind::SampleBegin, raw(kAllThreads)); }
inline Event send_all() { return make(EventKind::SampleEnd, raw(kAllThreads)); }
inline Event of_system(Event e) {
  e.system = true;
  return e;
}

using Trace = std::vector<Event>;

inline Trace numbered(Trace t) {
  for (std::size_t i = 0; i < t.size(); ++i) t[i].site = SiteId{static_cast<std::uint32_t>(i + 1)};
  return t;
}

}  // namespace steward::test
