#include "cli/record_translate.h"

#include <algorithm>

namespace steward::cli {

using rt::trace::Op;

namespace {

constexpr unsigned kPageBits = 12;
// Generations of an address: the bits above it and below kFirstFresh. They come round again.
constexpr std::uint32_t kGenerations = 1 << 14;
// More objects of fences at one location than this become its own.
constexpr std::size_t kManyObjects = 8;

enum Order : unsigned { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };
bool acquires(unsigned o) {
  return o == Consume || o == Acquire || o == AcqRel || o == SeqCst;
}
bool releases(unsigned o) {
  return o == Release || o == AcqRel || o == SeqCst;
}

template <class List, class T>
bool has(const List& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
template <class List, class T>
void add(List& list, const T& value) {
  if (!has(list, value)) list.push_back(value);
}

Event made(const RawEvent& raw, EventKind kind) {
  Event e;
  e.kind = kind;
  e.system = raw.system;
  e.thread = ThreadId{raw.thread};
  return e;
}
Event sync(const RawEvent& raw, EventKind kind, std::uint64_t object) {
  Event e = made(raw, kind);
  e.mode = SyncMode::Volatile;
  e.address = object;
  return e;
}

}  // namespace

RecordTranslator::Thread& RecordTranslator::thread(std::uint32_t carrier) {
  if (carries_.empty()) return threads_[carrier];
  const auto found = carries_.find(carrier);
  return threads_[found == carries_.end() ? carrier : found->second];
}

RecordTranslator::Location& RecordTranslator::location(std::uint64_t address) {
  const auto [it, fresh] = locations_.try_emplace(address);
  if (fresh) pages_[address >> kPageBits].push_back(address);
  return it->second;
}

std::uint64_t RecordTranslator::own(Location& l, std::uint64_t address) {
  if (!l.used) {
    l.used = true;
    l.own = std::uint64_t{l.generation} << rt::trace::kAddressBits | address;
  } else if (l.pinned) {
    l.own = next_fresh_++;
  }
  l.pinned = false;
  return l.own;
}

void RecordTranslator::renew(Location& l) {
  if (l.used) l.generation = (l.generation + 1) % kGenerations;
  l.used = l.pinned = false;
  l.published.clear();
}

void RecordTranslator::renew(std::uint64_t begin, std::uint64_t end) {
  const auto in_page = [&](const Objects& addresses) {
    for (const std::uint64_t a : addresses) {
      if (a >= begin && a < end) renew(locations_[a]);
    }
  };
  const std::uint64_t first = begin >> kPageBits, last = (end - 1) >> kPageBits;
  if (last - first < pages_.size()) {
    for (std::uint64_t page = first; page <= last; ++page) {
      if (const auto it = pages_.find(page); it != pages_.end()) in_page(it->second);
    }
  } else {
    for (const auto& [page, addresses] : pages_) in_page(addresses);
  }
}

void RecordTranslator::untracked_atomic(const RawEvent& raw, EventBuffer& out) {
  const std::uint64_t object = own(location(raw.address), raw.address);
  if (raw.op != Op::AtomicStore && acquires(raw.order)) {
    out.push(sync(raw, EventKind::Acquire, object));
  }
  if (raw.op != Op::AtomicLoad && releases(raw.order)) {
    out.push(sync(raw, EventKind::ReleaseMerge, object));
  }
}

void RecordTranslator::atomic(const RawEvent& raw, EventBuffer& out) {
  Event access = made(raw, raw.op == Op::AtomicLoad ? EventKind::Read : EventKind::Write);
  access.atomic = true;
  access.address = raw.address;
  access.size = raw.size;
  access.site = code_.site(raw.where);
  out.push(access);
  if (raw.system) return untracked_atomic(raw, out);

  Location& l = location(raw.address);
  Thread& t = thread(raw.thread);
  bool received = false;
  if (raw.op != Op::AtomicStore) {
    if (acquires(raw.order)) {
      for (const std::uint64_t object : l.published) {
        out.push(sync(raw, EventKind::Acquire, object));
      }
      received = true;
    } else if (!l.published.empty()) {
      t.read.insert(l.published.begin(), l.published.end());
      l.pinned = any_acquire_fence_;
    }
  }
  if (raw.op == Op::AtomicLoad) return;
  // A store heads a new release sequence; a read-modify-write goes on with the one it read from,
  // all of which its thread has if it acquired.
  const bool replaces = raw.op == Op::AtomicStore || received;
  if (releases(raw.order)) {
    const bool merges = !replaces && !l.pinned && l.used && has(l.published, l.own);
    const std::uint64_t object = own(l, raw.address);
    out.push(sync(raw, merges ? EventKind::ReleaseMerge : EventKind::Release, object));
    if (replaces) l.published.clear();
    add(l.published, object);
  } else if (t.fence != 0) {
    if (raw.op == Op::AtomicStore) l.published.clear();
    if (l.published.size() < kManyObjects) {
      add(l.published, t.fence);
      t.fence_used = true;
    } else {  // what the thread did since its fence goes along: an order too many
      const bool merges = !l.pinned && l.used && has(l.published, l.own);
      const std::uint64_t object = own(l, raw.address);
      out.push(sync(raw, merges ? EventKind::ReleaseMerge : EventKind::Release, object));
      add(l.published, object);
    }
  } else if (raw.op == Op::AtomicStore) {
    l.published.clear();
  }
}

void RecordTranslator::fence(const RawEvent& raw, EventBuffer& out) {
  Thread& t = thread(raw.thread);
  if (acquires(raw.order)) {
    any_acquire_fence_ = true;
    for (const std::uint64_t object : t.read) {
      out.push(sync(raw, EventKind::Acquire, object));
    }
    t.read.clear();
  }
  if (releases(raw.order)) {
    if (t.fence == 0 || t.fence_used) t.fence = next_fresh_++;
    t.fence_used = false;
    out.push(sync(raw, EventKind::Release, t.fence));
  }
}

// Ranges that overlap (a compacting collector's) in steps that do not, from the end that is not
// overwritten first.
void RecordTranslator::move(const RawEvent& raw, EventBuffer& out) {
  const std::uint64_t from = raw.address, to = raw.other;
  const std::uint64_t distance = from > to ? from - to : to - from;
  if (distance == 0 || raw.size == 0) return;
  const std::uint64_t step = std::min(distance, raw.size);
  for (std::uint64_t done = 0; done < raw.size;) {
    const std::uint64_t part = std::min(step, raw.size - done);
    const std::uint64_t at = to < from ? done : raw.size - done - part;
    Event e = made(raw, EventKind::Move);
    e.address = from + at;
    e.other = to + at;
    e.size = part;
    out.push(e);
    done += part;
  }
}

void RecordTranslator::leave_calls(const RawEvent& raw, std::uint64_t depth, EventBuffer& out) {
  Thread& t = thread(raw.thread);
  while (t.calls.size() > depth) {
    Event e = made(raw, EventKind::Exit);
    e.target = steward::raw(t.calls.back());
    t.calls.pop_back();
    out.push(e);
  }
}

// Calls that a jump has ended are left first. Calls that are not known, of a context that was
// entered elsewhere, have a function without a name.
void RecordTranslator::enter(const RawEvent& raw, EventBuffer& out) {
  leave_calls(raw, raw.address, out);
  Thread& t = thread(raw.thread);
  const auto call = [&](std::uint64_t pc) {
    Event e = made(raw, EventKind::Enter);
    const FunctionId f = code_.function(pc);
    e.target = steward::raw(f);
    t.calls.push_back(f);
    out.push(e);
  };
  while (t.calls.size() < raw.address) call(0);
  call(raw.where);
}

void RecordTranslator::translate(const RawEvent& raw, EventBuffer& out) {
  const auto put = [&](EventKind kind) -> Event& { return out.push(made(raw, kind)); };
  const auto put_sync = [&](EventKind kind) {
    Event& e = put(kind);
    e.mode = static_cast<SyncMode>(raw.mode);
    if (raw.where != 0) e.site = code_.site(raw.where);
    Location& l = location(raw.address);
    const std::uint64_t object = own(l, raw.address);
    e.address = object;
    // What is not a lock may be an atomic as well: a guard's first byte.
    if (e.mode != SyncMode::Volatile || raw.system) return;
    if (kind == EventKind::Acquire) {
      for (const std::uint64_t other : l.published) {
        if (other != object) out.push(sync(raw, kind, other));
      }
    } else {
      if (kind == EventKind::Release) l.published.clear();
      add(l.published, object);
    }
  };
  const auto put_range = [&](EventKind kind) {
    Event& e = put(kind);
    e.address = raw.address;
    e.size = raw.size;
    if (raw.where != 0) e.site = code_.site(raw.where);
  };
  switch (raw.op) {
    case Op::Acquire:
      put_sync(EventKind::Acquire);
      break;
    case Op::Release:
      put_sync(EventKind::Release);
      break;
    case Op::ReleaseMerge:
      put_sync(EventKind::ReleaseMerge);
      break;
    case Op::Fork: {
      Event& e = put(EventKind::Fork);
      e.target = static_cast<std::uint32_t>(raw.address);
      if (raw.where != 0) e.site = code_.site(raw.where);
      break;
    }
    case Op::Join:
      put(EventKind::Join).target = static_cast<std::uint32_t>(raw.address);
      break;
    case Op::ThreadEnd:
      leave_calls(raw, 0, out);
      put(EventKind::ThreadEnd);
      threads_.erase(raw.thread);
      carries_.erase(raw.thread);
      break;
    case Op::Alloc:
      put_range(EventKind::Alloc);
      break;
    case Op::Clear:
      put_range(EventKind::Free);
      renew(raw.address, raw.address + raw.size);
      break;
    case Op::Renew:
      renew(raw.address, raw.address + raw.size);
      break;
    case Op::Move:
      move(raw, out);
      break;
    case Op::Switch: {
      const auto to = static_cast<std::uint32_t>(raw.address);
      put(EventKind::Switch).target = to;
      if (to == raw.thread) {
        carries_.erase(raw.thread);
      } else {
        carries_[raw.thread] = to;
      }
      break;
    }
    case Op::Enter:
      enter(raw, out);
      break;
    case Op::Exit:
      leave_calls(raw, raw.address, out);
      break;
    case Op::Instructions:
      counts_instructions_ = true;
      put(EventKind::Instructions).size = raw.where;
      break;
    case Op::Stack:
      put_range(EventKind::Stack);
      break;
    case Op::SystemCall:
      put(EventKind::SystemCall);
      break;
    case Op::AtomicLoad:
    case Op::AtomicStore:
    case Op::AtomicModify:
      atomic(raw, out);
      break;
    case Op::Fence:
      fence(raw, out);
      break;
    case Op::Read:
    case Op::Write:  // see take()
    case Op::Walk:   // the recorder's
    case Op::Loop:
    case Op::None:
    case Op::Stamp:
    case Op::Size:
    case Op::Other:
      break;
  }
}

}  // namespace steward::cli
