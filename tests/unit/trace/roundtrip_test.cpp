// Whatever one format holds, the other gives back.
#include "trace/varint.h"

#include "trace_support.h"

namespace steward::trace {
namespace {

TEST(Varint, EveryLength) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    for (const std::uint64_t around : {0ull, 1ull, ~0ull}) {
      const std::uint64_t v = (bits == 64 ? 0 : std::uint64_t{1} << bits) + around;
      char bytes[16] = {};
      const char* const end = put_varint(bytes, v);
      const char* at = bytes;
      EXPECT_EQ(get_varint(at), v);
      EXPECT_EQ(at, end);
      EXPECT_EQ(unzigzag(zigzag(v)), v);
    }
  }
  EXPECT_EQ(zigzag(0), 0u);
  EXPECT_EQ(zigzag(~0ull), 1u);
  EXPECT_EQ(zigzag(1), 2u);
}

void expect_same(const std::vector<Event>& events, std::string_view bytes) {
  const ReadBack in = read_all(bytes);
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.partial, "");
  ASSERT_EQ(in.events.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(in.events[i], events[i]) << i;
}

TEST(RoundTrip, EveryKindThroughBinary) {
  const Names names;
  const auto events = every_event();
  for (const std::uint32_t block : {1u, 7u, 65536u}) {
    for (const int level : {0, 1, 3}) {
      expect_same(events, to_binary(events, names, {.block_events = block, .zstd_level = level}));
    }
  }
}

TEST(RoundTrip, EveryKindThroughText) {
  const Names names;
  expect_same(every_event(), to_text(every_event(), names));
}

TEST(RoundTrip, RandomEventsBothWays) {
  const Names names;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto events = random_events(seed, 5000);
    const std::string binary = to_binary(events, names, {.block_events = 777});
    expect_same(events, binary);
    const ReadBack from_binary = read_all(binary);
    const std::string text = to_text(from_binary.events, from_binary.reader->names());
    expect_same(events, text);
    EXPECT_EQ(text, to_text(events, names));
  }
}

TEST(RoundTrip, FieldsAKindDoesNotUseAreDropped) {
  const Names names;
  Event e;
  e.kind = EventKind::ThreadEnd;
  e.mode = SyncMode::Volatile;
  e.atomic = true;
  e.target = 3;
  e.address = e.size = e.other = ~0ull;
  const Event bare{.kind = EventKind::ThreadEnd};
  expect_same({bare}, to_binary({e}, names));
  expect_same({bare}, to_text({e}, names));
}

// Text in its canonical form comes back byte by byte.
TEST(RoundTrip, TextToBinaryToText) {
  const std::string text =
      "T0|fork(worker 1)|main.c:3\n"
      "main|w(V1)|345\n"
      "main|r(V1+4,2)|foo.c:12\n"
      "worker 1|w(a.b[3])|345\n"
      "T0|sys:aw(0x1000,4)\n"
      "T0|alloc(0x1000,64)|operator new(unsigned long)|x\n"
      "T0|acq(L1)\n"
      "T0|acq(0x10)\n"
      "T0|enter(f%28int%2C char%29)\n"
      "T0|ldref(V1+15,0x10)|#77\n"
      "T0|r(%30x10)|%2312\n"
      "T0|r(V%2B4)|100%\n"
      "%541|r(V1)|%20a%09\n"
      "*|sbegin\n";
  const ReadBack in = read_all(text);
  ASSERT_EQ(in.error, "");
  EXPECT_EQ(to_text(in.events, in.reader->names()), text);
  const std::string binary = to_binary(in.events, in.reader->names(), {.block_events = 3});
  const ReadBack back = read_all(binary);
  ASSERT_EQ(back.error, "");
  EXPECT_EQ(back.events, in.events);
  EXPECT_EQ(to_text(back.events, back.reader->names()), text);
}

// Ids that text would not give by itself are declared.
TEST(RoundTrip, NamesOfABinaryTraceKeepTheirIds) {
  Names names;
  names.threads().define(3, "main");
  names.threads().define(4, "main");  // becomes main#4
  names.threads().define(5, "T3");    // looks like another
  names.threads().define(6, "@x");
  names.threads().define(7, "#x");
  names.threads().define(8, "*");
  names.threads().define(9, " a\n\r\t|(),%41 ");
  names.variables().define(0x1000, "counter");
  names.variables().define(0x2000, "counter+4");
  names.variables().define(0x3000, "0x1000");
  names.variables().define(kNamedBase + 8, "odd");
  names.syncs().define(0x10, "L");
  names.syncs().define(kNamedBase, "first");
  names.sites().define(2, "second");
  names.sites().define(1, "#2");
  names.sites().define(77, " x|y ");
  names.functions().define(1, "void f(int)");
  std::vector<Event> events;
  for (std::uint32_t t = 2; t < 10; ++t) {
    for (const Address a : {0x1000ull, 0x1001ull, 0x2000ull, 0x3000ull, 1ull << 62,
                            (1ull << 62) + 8, (1ull << 62) + 9}) {
      for (const std::uint64_t size : {1ull, 8ull, 100ull}) {
        events.push_back({.kind = EventKind::Write,
                          .thread = ThreadId{t},
                          .site = SiteId{t % 2 ? t : 77},
                          .address = a,
                          .size = size});
      }
    }
    events.push_back({.kind = EventKind::Acquire, .thread = ThreadId{t}, .address = 0x10});
    events.push_back({.kind = EventKind::Acquire, .thread = ThreadId{t}, .address = kNamedBase});
    events.push_back({.kind = EventKind::Enter, .thread = ThreadId{t}, .target = t % 3});
    events.push_back({.kind = EventKind::Fork, .thread = ThreadId{t}, .target = 9 - t});
  }
  const std::string text = to_text(events, names);
  expect_same(events, text);
  const ReadBack in = read_all(text);
  const std::string binary = to_binary(in.events, in.reader->names());
  expect_same(events, binary);
  const ReadBack back = read_all(binary);
  for (std::uint32_t t = 3; t < 10; ++t) {
    EXPECT_EQ(back.reader->names().thread(ThreadId{t}), names.thread(ThreadId{t}));
  }
  EXPECT_EQ(back.reader->names().function(FunctionId{1}), "void f(int)");
  EXPECT_EQ(to_text(back.events, back.reader->names()), text);
}

// Random bytes as names: the escapes leave nothing to be mistaken.
TEST(RoundTrip, AnyBytesMayBeAName) {
  std::mt19937_64 random(3);
  const std::string_view alphabet = "T0x1#@*+%2Ba ,()|\n\r\t\x7f\xf5";
  Names names;
  std::vector<Event> events;
  for (std::uint32_t i = 1; i < 3000; ++i) {
    for (unsigned k = 0; k < kNameKinds; ++k) {
      std::string name;
      for (std::size_t n = 1 + random() % 5; n > 0; --n)
        name += alphabet[random() % alphabet.size()];
      const std::uint64_t id = random() % 2 ? i : random() % 5000 + 1;
      names.table(static_cast<NameKind>(k)).define(id, name);
    }
    const auto some = [&] { return static_cast<std::uint32_t>(random() % i + 1); };
    events.push_back({.kind = EventKind::Read,
                      .thread = ThreadId{some()},
                      .site = SiteId{some()},
                      .address = some(),
                      .size = 8});
    events.push_back({.kind = EventKind::Acquire, .thread = ThreadId{some()}, .address = some()});
    events.push_back({.kind = EventKind::Enter, .thread = ThreadId{some()}, .target = some()});
  }
  const std::string text = to_text(events, names);
  expect_same(events, text);
  const ReadBack in = read_all(text);
  for (const Event& e : events) {
    EXPECT_EQ(in.reader->names().thread(e.thread), names.thread(e.thread));
  }
}

// Names may be defined while their events are already being written.
TEST(RoundTrip, NamesThatComeLater) {
  Names names;
  std::string text;
  std::string binary;
  const auto to_text_writer = make_text_writer(sink_to_memory(text), names);
  const auto to_binary_writer = make_binary_writer(sink_to_memory(binary), names);
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const Event e{.kind = EventKind::Write,
                  .thread = ThreadId{1},
                  .site = SiteId{1},
                  .address = 0x1000,
                  .size = 8};
    events.push_back(e);
    to_text_writer->write({&e, 1});
    to_binary_writer->write({&e, 1});
    to_binary_writer->flush();
    if (i == 4) {
      names.threads().define(1, "late");
      names.sites().define(1, "late.c:1");
      names.variables().define(0x1000, "late");
    }
  }
  to_text_writer->finish();
  to_binary_writer->finish();
  expect_same(events, text);
  expect_same(events, binary);
  EXPECT_EQ(read_all(binary).reader->names().thread(ThreadId{1}), "late");
}

}  // namespace
}  // namespace steward::trace
