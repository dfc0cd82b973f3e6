// Loops that stand for many events: what is read back is every one of them, wherever a reader's
// batch ends.
#include "trace/loop.h"

#include "trace/binary_writer.h"
#include "trace/event_decoder.h"

#include "trace_support.h"

namespace steward::trace {
namespace {

// By the definition: round by round.
std::vector<Event> events_of(const Loop& l) {
  std::vector<Event> out;
  for (std::uint32_t round = 0; round < l.rounds; ++round) {
    if (l.instructions != 0 && round % l.told_every == 0) {
      Event e{.kind = EventKind::Instructions, .system = l.system, .thread = l.thread};
      for (std::uint32_t r = round; r < l.rounds && r < round + l.told_every; ++r) {
        e.size += l.instructions;
      }
      out.push_back(e);
    }
    for (const Walk& w : l.walks) {
      out.push_back({.kind = w.write ? EventKind::Write : EventKind::Read,
                     .system = l.system,
                     .thread = l.thread,
                     .site = w.site,
                     .address = w.address + static_cast<std::uint64_t>(w.step) * round,
                     .size = std::uint64_t{1} << (w.size_code - 1)});
    }
  }
  return out;
}

struct RandomLoop {
  std::vector<Walk> walks;
  Loop loop;

  explicit RandomLoop(std::mt19937_64& random) {
    for (std::size_t n = 1 + random() % 5; n > 0; --n) {
      walks.push_back({random() % 2 == 0, 1 + static_cast<unsigned>(random() % 5),
                       SiteId{static_cast<std::uint32_t>(random() % 4)},
                       (std::uint64_t{1} << 50) + random() % 4096,
                       static_cast<std::int64_t>(random() % 200) - 100});
    }
    loop.thread = ThreadId{static_cast<std::uint32_t>(random() % 3)};
    loop.system = random() % 4 == 0;
    loop.rounds = 1 + static_cast<std::uint32_t>(random() % 100);
    loop.instructions = random() % 3 == 0 ? 0 : random() % 40;
    loop.told_every = 1 + static_cast<std::uint32_t>(random() % 40);
    loop.walks = walks;
  }
};

TEST(Loop, StandsForItsEvents) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    EventEncoder encoder;
    std::vector<Event> expected;
    for (int k = 0; k < 4; ++k) {
      const RandomLoop l(random);
      ASSERT_EQ(broken_rule(l.loop), nullptr);
      encoder.add(l.loop);
      const std::vector<Event> events = events_of(l.loop);
      EXPECT_EQ(l.loop.events(), events.size());
      expected.insert(expected.end(), events.begin(), events.end());
      // Single events take their numbers from where the loop left them.
      const Event single{.kind = EventKind::Write,
                         .thread = ThreadId{static_cast<std::uint32_t>(random() % 3)},
                         .site = SiteId{7},
                         .address = random() % 100000,
                         .size = 8};
      if (random() % 2 == 0) {
        encoder.add(single);
      } else {
        encoder.add_access(single.thread, true, size_code(8), single.site, single.address);
      }
      expected.push_back(single);
    }
    ASSERT_EQ(encoder.count(), expected.size());
    std::string bytes(encoder.bytes());
    const std::size_t size = bytes.size();
    bytes.append(kDecoderSlack, '\0');
    for (const std::size_t batch : {1, 2, 7, 2048}) {
      EventDecoder decoder;
      decoder.start(bytes.data(), size, encoder.count());
      std::vector<Event> events, out(batch);
      while (decoder.left() > 0) {
        const std::size_t n = decoder.decode(out);
        ASSERT_EQ(decoder.broken(), "");
        ASSERT_GT(n, 0u);
        events.insert(events.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n));
      }
      EXPECT_EQ(decoder.broken(), "");
      EXPECT_EQ(events, expected);
    }
  }
}

TEST(Loop, IsWrittenInBlocks) {
  std::mt19937_64 random(6);
  Names names;
  std::string bytes;
  std::vector<Event> expected;
  {
    BinaryWriter writer(sink_to_memory(bytes), names, {});
    EventEncoder encoder;
    for (int i = 0; i < 3; ++i) {
      const RandomLoop l(random);
      encoder.add(l.loop);
      const std::vector<Event> events = events_of(l.loop);
      expected.insert(expected.end(), events.begin(), events.end());
      encoder.add({.kind = EventKind::Fork, .target = 10 + static_cast<std::uint32_t>(i)});
      expected.push_back({.kind = EventKind::Fork, .target = 10 + static_cast<std::uint32_t>(i)});
      names.sites().intern(std::to_string(i));
      EncodedBlock block;
      encoder.clear_into(block);
      EXPECT_EQ(encoder.count(), 0u);
      writer.write_names();
      writer.write(block);
    }
    writer.finish();
    EXPECT_TRUE(writer.ok());
    EXPECT_EQ(writer.events(), expected.size());
  }
  const ReadBack in = read_all(bytes);
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.partial, "");
  EXPECT_EQ(in.events, expected);
  EXPECT_EQ(in.totals->events, expected.size());
  EXPECT_EQ(in.totals->sites, 3u);
  std::vector<std::uint32_t> threads;
  for (const Event& e : expected) {
    threads.push_back(raw(e.thread));
    if (e.kind == EventKind::Fork) threads.push_back(e.target);
  }
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  EXPECT_EQ(in.totals->threads, threads.size());
  // As text and back, it is the same events.
  EXPECT_EQ(read_all(to_text(in.events, in.reader->names())).events, expected);
}

}  // namespace
}  // namespace steward::trace
