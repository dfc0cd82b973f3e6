#include "trace/binary_reader.h"

#include <cstring>

#include "trace/binary_format.h"
#include "trace/block.h"
#include "trace/tables.h"
#include "trace/varint.h"

#include "trace_support.h"

namespace steward::trace {
namespace {

std::string file_header(std::uint32_t version = kVersion, std::uint32_t flags = 0) {
  FileHeader h{kMagic, version, flags};
  return {reinterpret_cast<const char*>(&h), sizeof h};
}

std::string block(std::uint8_t type, std::uint32_t count, const std::string& raw, int level = 0) {
  BlockPacker packer(level);
  return std::string(packer.pack(static_cast<BlockType>(type), count, raw));
}

std::string block(BlockType type, std::uint32_t count, const std::string& raw, int level = 0) {
  return block(static_cast<std::uint8_t>(type), count, raw, level);
}

// A block whose header was changed after it was made, with its checksum set right again.
template <class Change>
std::string changed(std::string bytes, Change change) {
  BlockHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  change(h);
  h.header_hash = hash_bytes(&h, kHashedHeader);
  std::memcpy(bytes.data(), &h, sizeof h);
  return bytes;
}

std::string index_and_footer(std::uint64_t events, std::uint64_t offset) {
  Footer f{kEndMagic, offset, 0};
  f.hash = hash_bytes(&f, kHashedFooter);
  return block(BlockType::Index, 0, encode_index({{events, 1, 0}, {}})) +
         std::string(reinterpret_cast<const char*>(&f), sizeof f);
}

std::string varint(std::uint64_t v) {
  char bytes[16];
  return {bytes, static_cast<std::size_t>(put_varint(bytes, v) - bytes)};
}

std::string op(Op o, unsigned add = 0, unsigned code = 0) {
  return std::string(1, static_cast<char>((static_cast<unsigned>(o) + add) | code << kOpBits));
}

const std::string kThread0 = op(Op::Thread) + varint(0);
const std::string kEnd = op(Op::ThreadEnd) + varint(0);

std::string events_block(std::uint32_t count, const std::string& raw) {
  return block(BlockType::Events, count, raw);
}

TEST(BinaryReader, AHandMadeTraceIsRead) {
  const std::string bytes = file_header() + events_block(1, kThread0 + kEnd);
  const ReadBack in = read_all(bytes + index_and_footer(1, bytes.size()));
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.partial, "");
  ASSERT_EQ(in.events.size(), 1u);
  EXPECT_EQ(in.events[0], Event{.kind = EventKind::ThreadEnd});
}

// The example of docs/trace-format.md, byte by byte.
TEST(BinaryReader, TheDocumentedBytes) {
  const std::string_view contents = "\x1b\x01\x61\x17\x02\x80\x60\x07\x11";
  const std::vector<Event> events = {
      {.kind = EventKind::Write, .site = SiteId{5}, .address = 0x1000, .size = 4},
      {.kind = EventKind::Read, .site = SiteId{6}, .address = 0x1004, .size = 4}};
  EXPECT_EQ(read_all(file_header() + events_block(2, std::string(contents))).events, events);
  const Names names;
  const std::string written = to_binary(events, names, {.zstd_level = 0});
  EXPECT_EQ(written.substr(sizeof(FileHeader) + sizeof(BlockHeader), contents.size()), contents);
  // Two rounds of a read and a write of four bytes, three instructions each, told of together.
  const std::string_view loop = "\x1b\x01\x1f\x05\x07\x05\x05\x60\x17\x02\x80\x11\x61\x03\x11\x11";
  const std::vector<Event> rounds = {
      {.kind = EventKind::Instructions, .size = 6},
      {.kind = EventKind::Read, .site = SiteId{5}, .address = 0x1000, .size = 4},
      {.kind = EventKind::Write, .site = SiteId{5}, .address = 0x1004, .size = 4},
      {.kind = EventKind::Read, .site = SiteId{5}, .address = 0x1004, .size = 4},
      {.kind = EventKind::Write, .site = SiteId{5}, .address = 0x1008, .size = 4}};
  EXPECT_EQ(read_all(file_header() + events_block(5, std::string(loop))).events, rounds);
  EXPECT_EQ(varint(300), "\xb2\x04");
  EXPECT_EQ(varint(5), "\x0b");
}

TEST(BinaryReader, KnowsTotalsAtOnce) {
  Names names;
  names.sites().define(1, "a");
  const auto events = random_events(1, 10'000);
  const ReadBack in = read_all(to_binary(events, names));
  ASSERT_TRUE(in.totals);
  EXPECT_EQ(in.totals->events, 10'000u);
  EXPECT_EQ(in.totals->sites, 1u);
  EXPECT_GT(in.totals->threads, 20u);
  EXPECT_EQ(in.reader->format(), Format::Binary);
  EXPECT_DOUBLE_EQ(in.reader->progress(), 1.0);
}

TEST(BinaryReader, UnknownOptionalBlocksAreSkipped) {
  const std::string bytes =
      file_header() + block(200, 7, "anything") + events_block(1, kThread0 + kEnd);
  const ReadBack in = read_all(bytes + index_and_footer(1, bytes.size()));
  EXPECT_EQ(in.error, "");
  EXPECT_EQ(in.events.size(), 1u);
}

struct Broken {
  std::string bytes;
  std::string message;  // after the good start; "at N: " is the offset from its end
};

// What is wrong inside a block of events.
TEST(BinaryReader, SaysWhatIsWrongWithEvents) {
  const std::string access = op(Op::Read, 0, 4);  // 8 bytes
  const std::string far = varint(zigzag(kAddressEnd - 4));
  const std::string end_of_block = "expected an event, found the end of the block";
  const auto rule = [](const char* expected, const std::string& tag) {
    char byte[8];
    std::snprintf(byte, sizeof byte, "%#04x", static_cast<unsigned char>(tag[0]));
    return std::string("expected ") + expected + ", found byte " + byte + " with other numbers";
  };
  const char* range = "a range that ends at or below 2^63";
  const auto loop = [](std::uint64_t rounds, std::uint64_t walks) {
    return op(Op::Loop) + varint(rounds) + varint(0) + varint(walks);
  };
  const std::string walk = access + varint(0) + varint(zigzag(64)) + varint(zigzag(8));
  const auto other_loop = [](const char* expected) {
    return std::string("expected ") + expected + ", found a loop with other numbers";
  };
  const Broken table[] = {
      {"", end_of_block},
      {kEnd, "expected a thread before the first event, found none"},
      {access + varint(0) + varint(2), "expected a thread before the first event, found none"},
      {kThread0, end_of_block},
      {kThread0 + op(Op::System), end_of_block},
      {kThread0 + op(Op::System) + op(Op::System) + kEnd,
       "expected an event after a system mark, found another mark"},
      {kThread0 + op(Op::System) + kThread0 + kEnd, "expected an event, found byte 0x1b"},
      {kThread0 + access, end_of_block},
      {kThread0 + access + varint(0), end_of_block},
      {kThread0 + access + varint(0) + varint(1ull << 40).substr(0, 3), end_of_block},
      {kThread0 + op(Op::Loop, 0, 1) + varint(0), "expected an event, found byte 0x3f"},
      {kThread0 + op(Op::Loop) + varint(1), "expected a loop, found the end of the block"},
      {kThread0 + loop(1, 1) + op(Op::Acquire) + varint(0),
       "expected an access of a loop, found byte 0x04"},
      {kThread0 + loop(1, 1) + access + varint(0) + varint(2),
       "expected a loop, found the end of the block"},
      {kThread0 + loop(0, 1) + walk, other_loop("1 to 1048576 rounds")},
      {kThread0 + loop((1 << 20) + 1, 1) + walk, other_loop("1 to 1048576 rounds")},
      {kThread0 + loop(1, 0), other_loop("1 to 64 accesses a round")},
      {kThread0 + loop(1, 1) + op(Op::Read) + varint(0) + varint(2) + varint(0),
       other_loop("an access of a usual size")},
      {kThread0 + loop(2, 1) + access + varint(0) + varint(2) + varint(zigzag(1ull << 32)),
       other_loop("steps of at most 2^31 bytes")},
      {kThread0 + loop(2, 1) + access + varint(0) + varint(zigzag(16)) + varint(zigzag(0 - 17ull)),
       other_loop("ranges that end at or below 2^63")},
      {kThread0 + loop(1, 1) + access + varint(0) + far + varint(0),
       other_loop("ranges that end at or below 2^63")},
      {kThread0 + loop(2, 1) + walk, "expected a loop of at most 1 events, found one of 2"},
      {kThread0 + op(Op::Read, 0, 6) + varint(0) + varint(2), "expected an event, found byte 0xc0"},
      {kThread0 + op(Op::ThreadEnd, 0, 1) + varint(0), "expected an event, found byte 0x2f"},
      {op(Op::Thread) + varint(1ull << 32) + kEnd,
       "expected a thread below 2^32, found a larger number"},
      {op(Op::Thread) + varint(0xffff'ffff) + kEnd, rule("one thread", kEnd)},
      {kThread0 + access + varint(0) + far, rule(range, access)},
      {kThread0 + access + varint(0) + varint(zigzag(kAddressEnd)), rule(range, access)},
      {kThread0 + access + varint(1 + zigzag(1ull << 32)) + varint(2),
       rule("a site from 1 to 2^32-1", access)},
      {kThread0 + access + varint(1 + zigzag(0)) + varint(2),
       rule("a site from 1 to 2^32-1", access)},
      {kThread0 + op(Op::Write) + varint(0) + varint(2) + varint(0),
       rule("a size from 1 to 4294967295", op(Op::Write))},
      {kThread0 + op(Op::Acquire) + varint(0) + varint(zigzag(kAddressEnd)),
       rule("a sync object below 2^63", op(Op::Acquire))},
      {kThread0 + op(Op::Fork) + varint(0) + varint(0xffff'ffff), rule("one thread", op(Op::Fork))},
      {kThread0 + op(Op::Join) + varint(0) + varint(1ull << 32),
       rule("a thread or function below 2^32", op(Op::Join))},
      {kThread0 + op(Op::Enter) + varint(0) + varint(1ull << 32),
       rule("a thread or function below 2^32", op(Op::Enter))},
      {kThread0 + op(Op::Free) + varint(0) + far + varint(5), rule(range, op(Op::Free))},
      {kThread0 + op(Op::Move) + varint(0) + varint(0) + varint(5) + far,
       rule(range, op(Op::Move))},
      {kThread0 + op(Op::LoadRef) + varint(0) + varint(0) + varint(zigzag(kAddressEnd)),
       rule("addresses below 2^63", op(Op::LoadRef))},
      {kThread0 + op(Op::Instructions) + varint(0) + varint(kAddressEnd),
       rule("a count below 2^63", op(Op::Instructions))},
      {kThread0 + kEnd + kEnd,
       "expected the end of the block after its last event, found more bytes"},
  };
  const std::string good = file_header() + events_block(1, kThread0 + kEnd);
  const std::string at = "in: offset " + std::to_string(good.size()) + ": ";
  for (const Broken& b : table) {
    const ReadBack in = read_all(good + events_block(1, b.bytes));
    EXPECT_EQ(in.error, at + b.message);
    EXPECT_EQ(in.partial, "");
  }
  // The events before the broken one are delivered.
  const ReadBack in = read_all(good + events_block(3, kThread0 + kEnd + kEnd + '\x3f'));
  EXPECT_EQ(in.error, at + "expected an event, found byte 0x3f");
  EXPECT_EQ(in.events.size(), 3u);
  EXPECT_EQ(read_all(good + events_block(0, "x")).error,
            at + "expected the end of the block after its last event, found more bytes");
}

TEST(BinaryReader, SaysWhatIsWrongWithBlocks) {
  const auto name = [](unsigned kind, std::uint64_t id, const std::string& text) {
    return std::string(1, static_cast<char>(kind)) + varint(id) + varint(text.size()) + text;
  };
  const auto names_block = [](std::uint32_t count, const std::string& raw) {
    return block(BlockType::Names, count, raw);
  };
  const std::string some = events_block(1, kThread0 + kEnd);
  const std::string zipped = block(BlockType::Events, 100, std::string(5000, 'x'), 1);
  std::string bad_payload = some;
  bad_payload.back() ^= 1;
  std::string bad_header = some;
  bad_header[5] ^= 1;
  const auto as_zstd = changed(some, [](BlockHeader& h) { h.codec = 1; });
  const Broken table[] = {
      {bad_header, "expected a block header, found one that fails its checksum"},
      {bad_payload, "expected the contents of a block, found some that fail their checksum"},
      {changed(some, [](BlockHeader& h) { h.type = 0; }),
       "expected a block of type 1 to 3 or from 128 on, found type 0"},
      {changed(some, [](BlockHeader& h) { h.type = 127; }),
       "expected a block of type 1 to 3 or from 128 on, found type 127"},
      {changed(some, [](BlockHeader& h) { h.codec = 2; }), "expected codec 0 or 1, found 2"},
      {changed(some, [](BlockHeader& h) { h.reserved = 5; }), "expected a reserved 0, found 5"},
      {changed(zipped, [](BlockHeader& h) { h.raw_size = kMaxRaw + 1; }),
       "expected a block of at most 16777216 bytes, found 16777217"},
      {changed(zipped, [](BlockHeader& h) { h.stored_size = ~0u; }),
       "expected at most 16908288 stored bytes, found 4294967295"},
      {changed(some, [](BlockHeader& h) { ++h.raw_size; }), "expected 5 stored bytes, found 4"},
      {as_zstd, "expected zstd data, found Src size is incorrect"},
      {changed(zipped, [](BlockHeader& h) { ++h.raw_size; }),
       "expected 5001 bytes in a block, found 5000"},
      {changed(zipped, [](BlockHeader& h) { --h.raw_size; }),
       "expected zstd data, found Destination buffer is too small"},
      {names_block(1, ""), "expected 1 names, found 0"},
      {names_block(2, name(0, 1, "a")), "expected 2 names, found 1"},
      {names_block(1, name(5, 1, "a")), "expected a kind of name from 0 to 4, found 5"},
      {names_block(1, name(0, 0xffff'ffff, "a")), "expected an id to be named, found 4294967295"},
      {names_block(1, name(3, 0, "a")), "expected an id to be named, found 0"},
      {names_block(1, name(0, 1, "")), "expected a name of 1 to 65535 bytes, found 0"},
      {names_block(1, name(0, 1, std::string(65536, 'x'))),
       "expected a name of 1 to 65535 bytes, found 65536"},
      {names_block(1, name(0, 1, "abc").substr(0, 4)),
       "expected a name, found the end of the block"},
      {names_block(1, std::string(1, '\0')), "expected a name, found the end of the block"},
      {names_block(2, name(0, 1, "a") + name(0, 1, "b")),
       "expected a new id to be named, found 1 again"},
      {names_block(1, name(0, 1, "a") + "x"),
       "expected the end of the block after its last name, found more bytes"},
      {block(BlockType::Index, 0, ""), "expected an index, found other bytes"},
      {block(BlockType::Index, 9, encode_index({{1, 1, 0}, {}})),
       "expected an index, found other bytes"},
      {block(BlockType::Index, 0, encode_index({{1, 1, 0}, {}}) + "x"),
       "expected an index, found other bytes"},
      {index_and_footer(2, 0), "expected 2 events as the index says, found 1"},
  };
  const std::string good = file_header() + some;
  for (const Broken& b : table) {
    const ReadBack in = read_all(good + b.bytes);
    EXPECT_EQ(in.error, "in: offset " + std::to_string(good.size()) + ": " + b.message);
    EXPECT_EQ(in.events.size(), 1u) << b.message;
    EXPECT_EQ(in.partial, "");
  }
}

TEST(BinaryReader, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(read_all("\xf5TEWARD").error,
            "in: offset 0: expected the magic bytes of a trace, found others");
  EXPECT_EQ(read_all(file_header(3)).error, "in: offset 8: expected version 1, 2 or 4, found 3");
  EXPECT_EQ(read_all(file_header(2)).error, "");
  EXPECT_EQ(read_all(file_header(1, 4)).error, "in: offset 12: expected flags 0, found 4");
  const std::string good = file_header() + events_block(1, kThread0 + kEnd);
  const std::string whole = good + index_and_footer(1, good.size());
  EXPECT_EQ(read_all(whole).error, "");
  EXPECT_EQ(read_all(whole + "x").error, "in: offset " + std::to_string(whole.size()) +
                                             ": expected the end of the file, found more bytes");
  EXPECT_EQ(read_all(good + index_and_footer(1, 16)).error,
            "in: offset " + std::to_string(whole.size() - sizeof(Footer)) +
                ": expected a footer, found other bytes");
}

// A file that was cut anywhere gives all events of its whole blocks and says that it is partial.
TEST(BinaryReader, EveryTruncationIsPartial) {
  Names names;
  names.threads().define(1, "main");
  names.sites().define(1, "a.c:1");
  const auto events = random_events(5, 300);
  for (const int level : {0, 1}) {
    std::string bytes;
    const auto writer =
        make_binary_writer(sink_to_memory(bytes), names, {.block_events = 32, .zstd_level = level});
    std::vector<std::pair<std::size_t, std::size_t>> whole = {{0, 0}};  // bytes, events
    for (std::size_t i = 0; i < events.size(); ++i) {
      writer->write({&events[i], 1});
      if (bytes.size() != whole.back().first) whole.push_back({bytes.size(), i + 1});
    }
    writer->flush();
    whole.push_back({bytes.size(), events.size()});
    writer->finish();
    ASSERT_GT(whole.size(), 9u);

    std::size_t at = 0;
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      while (at + 1 < whole.size() && whole[at + 1].first <= cut) ++at;
      const ReadBack in = read_all(std::string_view(bytes).substr(0, cut));
      // The file header alone counts for the first event in `whole`.
      const std::size_t expected = at <= 1 ? 0 : whole[at].second;
      ASSERT_EQ(in.events.size(), expected) << "cut at " << cut;
      ASSERT_TRUE(std::equal(in.events.begin(), in.events.end(), events.begin()));
      ASSERT_EQ(in.error, "") << "cut at " << cut;
      ASSERT_NE(in.partial.find("in: offset " + std::to_string(cut) + ": partial trace: expected"),
                std::string::npos)
          << in.partial;
      ASSERT_FALSE(in.totals);
    }
    EXPECT_EQ(read_all(bytes).events, events);
  }
}

// A flipped bit is found, or changes nothing.
TEST(BinaryReader, EveryFlippedBitIsFound) {
  Names names;
  names.threads().define(1, "main");
  const auto events = random_events(6, 100);
  for (const int level : {0, 1}) {
    std::string bytes = to_binary(events, names, {.block_events = 32, .zstd_level = level});
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
        const ReadBack in = read_all(bytes);
        ASSERT_NE(in.error, "") << "byte " << i << " bit " << bit;
        if (i > 0) {  // without its first byte the file is text
          ASSERT_LE(in.events.size(), events.size());
          ASSERT_TRUE(std::equal(in.events.begin(), in.events.end(), events.begin()));
        }
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      }
    }
  }
}

// Broken numbers inside sound checksums: whatever comes out keeps the rules.
TEST(BinaryReader, RandomBlocksNeverBreakIt) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string raw = kThread0;
    for (std::size_t n = random() % 40; n > 0; --n) raw += static_cast<char>(random());
    const auto count = static_cast<std::uint32_t>(random() % 8);
    const ReadBack in = read_all(file_header() + events_block(count, raw));
    EXPECT_LE(in.events.size(), count);
    const Names names;
    EXPECT_EQ(read_all(to_binary(in.events, names)).events, in.events);
  }
}

}  // namespace
}  // namespace steward::trace
