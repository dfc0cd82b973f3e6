// The channel from a thread's end to the recorder's, in one process.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "cli/record_lanes.h"

namespace steward::cli {
namespace {

using namespace rt::trace;

class Lanes : public testing::Test {
 protected:
  void SetUp() override {
    void* at = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(at, MAP_FAILED);
    channel_ = static_cast<Channel*>(at);
  }
  void TearDown() override { ::munmap(channel_, sizeof(Channel)); }

  std::uint32_t chunk() {
    std::uint32_t index;
    return pop(channel_->header.free_chunks, channel_->chunk, index)
               ? index
               : channel_->header.chunks.fetch_add(1);
  }
  struct Writer {
    Lane* lane;
    Chunk* chunk;
    unsigned at = 0;
  };
  Writer open(std::uint32_t thread) {
    std::uint32_t lane;
    if (!pop(channel_->header.free_lanes, channel_->lane, lane)) {
      lane = channel_->header.lanes.fetch_add(1);
    }
    Lane& l = channel_->lane[lane];
    l.thread = thread;
    l.first = chunk();
    l.state = Lane::Live;
    return {&l, &channel_->chunk[l.first]};
  }
  void put(Writer& w, Op op, std::uint64_t address, std::uint64_t where) {
    if (w.at == 100) {
      const std::uint32_t next = chunk();
      w.chunk->next = next + 1;
      w.chunk = &channel_->chunk[next];
      w.at = 0;
    }
    w.chunk->entries[w.at++] = {
        address | static_cast<std::uint64_t>(op) << kOpShift | std::uint64_t{3} << kSizeShift,
        where};
  }
  void stamped(Writer& w, std::uint64_t time, std::uint64_t address) {
    put(w, Op::Stamp, 0, time);
    put(w, Op::Write, address, 0);
  }
  std::string merged(RecordLanes& lanes, std::uint64_t until) {
    std::string text;
    struct Take {
      std::string& text;
      void operator()(std::uint32_t thread, bool, unsigned, std::uint64_t address, std::uint64_t) {
        text += std::to_string(thread) + ":" + std::to_string(address) + " ";
      }
      void operator()(const RawEvent& e) { (*this)(e.thread, true, 3, e.address, e.where); }
    };
    lanes.merge(until, Take{text});
    return text;
  }

  Channel* channel_ = nullptr;
};

TEST_F(Lanes, AreMergedByTime) {
  RecordLanes lanes(*channel_);
  Writer a = open(1), b = open(2);
  stamped(a, 10, 1);
  stamped(a, 30, 2);
  stamped(b, 20, 3);
  stamped(b, 40, 4);
  EXPECT_EQ(merged(lanes, 35), "1:1 2:3 1:2 ");
  stamped(a, 33, 5);  // came late: taken with the next
  EXPECT_EQ(merged(lanes, 100), "1:5 2:4 ");
  EXPECT_EQ(merged(lanes, 100), "");
}
TEST_F(Lanes, TimePassesByDifferences) {
  RecordLanes lanes(*channel_);
  Writer a = open(1), b = open(2);
  stamped(a, 10, 1);
  put(a, Op::Read, 2, std::uint64_t{20} << kAddressBits);
  stamped(b, 25, 3);
  EXPECT_EQ(merged(lanes, 29), "1:1 2:3 ");
  EXPECT_EQ(merged(lanes, 30), "1:2 ");
}
// An access may have the time of the one before it: but it came after the lane was seen empty.
TEST_F(Lanes, WhatWasNotThereCameLater) {
  RecordLanes lanes(*channel_);
  Writer a = open(1);
  stamped(a, 10, 1);
  EXPECT_EQ(merged(lanes, 20), "1:1 ");
  put(a, Op::Write, 2, 0);
  Writer b = open(2);
  stamped(b, 15, 3);
  stamped(b, 25, 4);
  put(a, Op::Write, 5, std::uint64_t{20} << kAddressBits);
  EXPECT_EQ(merged(lanes, 40), "2:3 1:2 2:4 1:5 ");
  put(a, Op::Write, 6, 0);
  EXPECT_EQ(merged(lanes, 60), "1:6 ");
}
// A signal handler's loop comes between the walks of another and its end.
TEST_F(Lanes, ALoopHasTheLastWalks) {
  RecordLanes lanes(*channel_);
  Writer a = open(1);
  put(a, Op::Walk, 100, 7 | std::uint64_t{8} << kAddressBits);
  put(a, Op::Walk, 200, 8 | (~std::uint64_t{0} << kAddressBits));
  put(a, Op::Walk, 300, 9);
  put(a, Op::Loop, 5, 1);
  put(a, Op::Write, 50, 0);
  put(a, Op::Loop, 6, 2 | 3 << kWalksBits);
  std::string text;
  struct Take {
    std::string& text;
    void operator()(std::uint32_t, bool, unsigned, std::uint64_t address, std::uint64_t) {
      text += "write " + std::to_string(address) + " ";
    }
    void operator()(const RawEvent& e) {
      if (e.op != Op::Loop) return (*this)(e.thread, true, 3, e.address, e.where);
      text += std::to_string(e.address) + " times(";
      for (const RawWalk& w : e.walks) {
        text += " " + std::to_string(w.address) + "@" + std::to_string(w.pc) + "+" +
                std::to_string(w.step);
      }
      text += " ) ";
    }
  };
  lanes.merge(10, Take{text});
  EXPECT_EQ(text, "5 times( 300@9+0 ) write 50 6 times( 100@7+8 200@8+-1 ) ");
}
TEST_F(Lanes, ChunksAndLanesComeBack) {
  RecordLanes lanes(*channel_);
  for (unsigned round = 0; round < 20; ++round) {
    Writer a = open(round);
    for (unsigned i = 0; i < 1000; ++i) stamped(a, round * 1000 + i, i);
    a.lane->state = Lane::Ended;
    std::string expected;
    for (unsigned i = 0; i < 1000; ++i) {
      expected += std::to_string(round) + ":" + std::to_string(i) + " ";
    }
    EXPECT_EQ(merged(lanes, ~std::uint64_t{0}), expected);
  }
  EXPECT_EQ(channel_->header.lanes.load(), 1u);
  EXPECT_LE(channel_->header.chunks.load(), 21u);
}

}  // namespace
}  // namespace steward::cli
