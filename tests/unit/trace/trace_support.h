// What the trace tests share: whole traces in memory, and events to fill them with.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace steward::trace {

inline void PrintTo(const Error& e, std::ostream* os) {
  *os << e.message;
}

struct ReadBack {
  std::vector<Event> events;
  std::string error;    // empty: none
  std::string partial;  // empty: whole
  std::optional<Totals> totals;
  std::unique_ptr<Reader> reader;  // null when the trace could not be opened
};

inline ReadBack read_all(std::string_view bytes) {
  ReadBack out;
  Opened opened = open_trace_in_memory(bytes, "in");
  if (!opened.reader) {
    out.error = opened.error->message;
    return out;
  }
  out.reader = std::move(opened.reader);
  out.totals = out.reader->totals();
  for (auto batch = out.reader->next(); !batch.empty(); batch = out.reader->next()) {
    out.events.insert(out.events.end(), batch.begin(), batch.end());
  }
  EXPECT_TRUE(out.reader->next().empty()) << "events after the end";
  if (out.reader->error()) out.error = out.reader->error()->message;
  if (out.reader->partial()) out.partial = *out.reader->partial();
  return out;
}

inline std::string to_text(const std::vector<Event>& events, const Names& names) {
  std::string out;
  const auto writer = make_text_writer(sink_to_memory(out), names);
  writer->write(events);
  writer->finish();
  EXPECT_TRUE(writer->ok()) << writer->error()->message;
  return out;
}

inline std::string to_binary(const std::vector<Event>& events, const Names& names,
                             const BinaryOptions& options = {}) {
  std::string out;
  const auto writer = make_binary_writer(sink_to_memory(out), names, options);
  writer->write(events);
  writer->finish();
  EXPECT_TRUE(writer->ok()) << writer->error()->message;
  return out;
}

// One event of every kind, with all that its kind can carry.
inline Event event_of_kind(EventKind kind, std::mt19937_64& random) {
  Event e;
  e.kind = kind;
  const std::uint64_t address = random() >> (1 + random() % 62);
  switch (kind) {
    case EventKind::Read:
    case EventKind::Write:
      e.size = std::uint64_t{1} << random() % 5;
      if (random() % 4 == 0) e.size = 1 + random() % 0xffff'ffff;
      e.address = std::min(address, kAddressEnd - e.size);
      break;
    case EventKind::Acquire:
    case EventKind::Release:
    case EventKind::ReleaseMerge:
      e.address = address;
      break;
    case EventKind::Fork:
    case EventKind::Join:
    case EventKind::Switch:
      e.target = static_cast<std::uint32_t>(random() % 0xffff'ffff);
      break;
    case EventKind::Enter:
    case EventKind::Exit:
      e.target = static_cast<std::uint32_t>(random());
      break;
    case EventKind::Alloc:
    case EventKind::Free:
    case EventKind::Stack:
      e.size = random() >> (2 + random() % 62);
      e.address = std::min(address, kAddressEnd - e.size);
      break;
    case EventKind::Move:
      e.size = random() >> (2 + random() % 62);
      e.address = std::min(address, kAddressEnd - e.size);
      e.other = std::min(random() >> 1, kAddressEnd - e.size);
      break;
    case EventKind::LoadRef:
    case EventKind::StoreRef:
      e.address = address;
      e.other = random() >> 1;
      break;
    case EventKind::Instructions:
      e.size = address;
      break;
    case EventKind::ThreadEnd:
    case EventKind::SampleBegin:
    case EventKind::SampleEnd:
    case EventKind::SystemCall:
      break;
  }
  return e;
}

// Every kind with every flag and mode it can have, with and without a site, by several threads.
inline std::vector<Event> every_event() {
  std::mt19937_64 random(7);
  std::vector<Event> out;
  for (unsigned kind = 0; kind < kEventKinds; ++kind) {
    for (unsigned flags = 0; flags < 16; ++flags) {
      for (unsigned mode = 0; mode < 3; ++mode) {
        Event e = event_of_kind(static_cast<EventKind>(kind), random);
        const bool sync = e.kind >= EventKind::Acquire && e.kind <= EventKind::ReleaseMerge;
        const bool sampling = e.kind == EventKind::SampleBegin || e.kind == EventKind::SampleEnd;
        if (mode > 0 && !sync) continue;
        e.mode = static_cast<SyncMode>(mode);
        e.atomic = (flags & 1) && e.is_access();
        e.system = flags & 2;
        e.site = flags & 4 ? SiteId{static_cast<std::uint32_t>(random() | 1)} : kNoSite;
        e.thread = flags & 8 ? ThreadId{0xffff'fffe} : ThreadId{flags & 1};
        if (sampling && (flags & 8)) e.thread = kAllThreads;
        out.push_back(e);
      }
    }
  }
  return out;
}

inline std::vector<Event> random_events(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  std::vector<Event> out;
  ThreadId thread{};
  for (std::size_t i = 0; i < n; ++i) {
    const bool any = random() % 4 == 0;
    Event e = event_of_kind(static_cast<EventKind>(random() % (any ? kEventKinds : 2)), random);
    const bool sync = e.kind >= EventKind::Acquire && e.kind <= EventKind::ReleaseMerge;
    if (random() % 10 == 0) thread = ThreadId{static_cast<std::uint32_t>(random() % 20)};
    if (random() % 100 == 0) thread = ThreadId{static_cast<std::uint32_t>(random() % 0xffff'ffff)};
    e.thread = thread;
    if (sync) e.mode = static_cast<SyncMode>(random() % 3);
    e.atomic = e.is_access() && random() % 5 == 0;
    e.system = random() % 10 == 0;
    if (random() % 3) e.site = SiteId{static_cast<std::uint32_t>(1 + random() % 5000)};
    out.push_back(e);
  }
  return out;
}

}  // namespace steward::trace
