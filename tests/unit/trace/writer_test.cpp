#include "trace/writer.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "trace_support.h"

namespace steward::trace {
namespace {

const Format kFormats[] = {Format::Text, Format::Binary};

TEST(Writer, AFullDiskIsAnError) {
  const Names names;
  const auto events = random_events(1, 300'000);
  for (const Format format : kFormats) {
    OpenedSink sink = open_sink("/dev/full");
    ASSERT_TRUE(sink.sink);
    const auto writer = make_writer(format, std::move(sink.sink), names);
    writer->write(events);
    writer->finish();
    ASSERT_TRUE(writer->error());
    EXPECT_EQ(writer->error()->message, "/dev/full: cannot write: No space left on device");
    EXPECT_EQ(writer->bytes(), 0u);
  }
}

TEST(Writer, ABrokenPipeIsAnError) {
  const Names names;
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  for (const Format format : kFormats) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    const auto writer = make_writer(format, sink_to_fd(ends[1], "pipe"), names);
    writer->write(random_events(1, 10));
    writer->finish();
    EXPECT_FALSE(writer->ok());
    EXPECT_EQ(writer->error()->message, "pipe: cannot write: Broken pipe");
    ::close(ends[1]);
  }
  std::signal(SIGPIPE, old);
}

TEST(Writer, APlaceThatCannotBeIsAnError) {
  EXPECT_EQ(open_sink("/nowhere/at/all").error->message,
            "/nowhere/at/all: No such file or directory");
  EXPECT_EQ(open_sink("/").error->message, "/: Is a directory");
}

TEST(Writer, EventsNoTraceCanHoldAreRefused) {
  const Names names;
  const Event good{.kind = EventKind::Read, .address = 0x10, .size = 8};
  const std::pair<Event, const char*> table[] = {
      {{.kind = EventKind::Read, .address = 0x10, .size = 0}, "a size from 1 to 4294967295"},
      {{.kind = EventKind::Write, .address = kAddressEnd - 4, .size = 8},
       "a range that ends at or below 2^63"},
      {{.kind = EventKind::Read, .thread = kAllThreads, .address = 1, .size = 1}, "one thread"},
      {{.kind = EventKind::Join, .target = 0xffff'ffff}, "one thread"},
      {{.kind = EventKind::Acquire, .mode = static_cast<SyncMode>(3)}, "a known mode"},
      {{.kind = static_cast<EventKind>(kEventKinds)}, "an event of a known kind"},
  };
  for (const Format format : kFormats) {
    for (const auto& [bad, expected] : table) {
      std::string out;
      const auto writer = make_writer(format, sink_to_memory(out), names);
      const Event events[] = {good, bad, good};
      writer->write(events);
      writer->finish();
      ASSERT_TRUE(writer->error());
      EXPECT_EQ(writer->error()->message, std::string("event 1: expected ") + expected);
      // What came before is there.
      EXPECT_EQ(read_all(out).events, std::vector<Event>{good});
    }
  }
}

TEST(Writer, WhatWasFlushedCanBeReadWhileItGrows) {
  const Names names;
  const auto events = random_events(2, 100);
  std::string out;
  const auto writer = make_binary_writer(sink_to_memory(out), names);
  writer->write(events);
  EXPECT_EQ(read_all(out).events.size(), 0u);
  writer->flush();
  const ReadBack in = read_all(out);
  EXPECT_EQ(in.events, events);
  EXPECT_EQ(in.error, "");
  EXPECT_NE(in.partial, "");
}

TEST(Writer, AnEmptyTraceIsATrace) {
  const Names names;
  const ReadBack in = read_all(to_binary({}, names));
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.partial, "");
  ASSERT_TRUE(in.totals);
  EXPECT_EQ(in.totals->events, 0u);
}

TEST(Writer, ManyNamesFillSeveralBlocks) {
  Names names;
  for (std::uint32_t i = 1; i < 100; ++i) {
    names.sites().define(i, std::string(60'000, 'x') + std::to_string(i));
  }
  const ReadBack in = read_all(to_binary(random_events(3, 10), names));
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.reader->names().table(NameKind::Site).size(), 99u);
}

TEST(Writer, ACutIsToldAndAllEventsAreThere) {
  const Names names;
  const auto events = random_events(1, 1000);
  std::string bytes;
  const auto writer = make_binary_writer(sink_to_memory(bytes), names);
  writer->write(events);
  writer->cut(Cut::SizeLimit, 12345);
  writer->finish();
  const ReadBack back = read_all(bytes);
  EXPECT_EQ(back.events, events);
  EXPECT_EQ(back.error, "");
  EXPECT_EQ(back.partial,
            "in: partial trace: the recording ended at its limit of 12345 bytes, the program went on");
  ASSERT_TRUE(back.totals);
  EXPECT_EQ(back.totals->events, 1000u);
}

}  // namespace
}  // namespace steward::trace
