// What C++ operations become in a trace. The sequences and their names are the memory model's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/record_translate.h"

namespace steward::cli {
namespace {

using rt::trace::Op;
enum Order { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };

constexpr std::uint64_t kX = 0x1000, kFence = std::uint64_t{1} << 61;

class Translate : public testing::Test {
 protected:
  void take(unsigned thread, Op op, std::uint64_t address, Order order = Relaxed,
            std::uint64_t size = 4) {
    RawEvent e;
    e.op = op;
    e.thread = thread;
    e.address = address;
    e.size = size;
    e.order = static_cast<std::uint8_t>(order);
    e.where = op == Op::Enter ? 0x400 + address : 0;
    if (op == Op::Acquire || op == Op::Release || op == Op::ReleaseMerge) e.mode = mode_;
    translator_.take(e, out_);
  }
  void move(std::uint64_t from, std::uint64_t to, std::uint64_t size) {
    RawEvent e;
    e.op = Op::Move;
    e.address = from;
    e.other = to;
    e.size = size;
    translator_.take(e, out_);
  }
  // The events since the last time, without the accesses, one letter or two each.
  std::string told() {
    std::string text;
    for (const Event& e : out_.events()) {
      const auto put = [&](const char* what) {
        text += fmt::format("{}T{}:{}", text.empty() ? "" : " ", raw(e.thread), what);
        if (e.is_sync() && e.kind != EventKind::Fork) text += fmt::format("({:x})", e.address);
      };
      switch (e.kind) {
        case EventKind::Acquire:
          put("acquire");
          break;
        case EventKind::Release:
          put("release");
          break;
        case EventKind::ReleaseMerge:
          put("merge");
          break;
        case EventKind::Enter:
          put(fmt::format("enter{}", e.target).c_str());
          break;
        case EventKind::Exit:
          put(fmt::format("exit{}", e.target).c_str());
          break;
        case EventKind::Move:
          put(fmt::format("{:x}->{:x},{}", e.address, e.other, e.size).c_str());
          break;
        default:
          break;
      }
    }
    out_.clear();
    return text;
  }

  trace::Names names_;
  std::mutex lock_;
  RecordedCode code_{names_, lock_};
  RecordTranslator translator_{code_};
  EventBuffer out_;
  std::uint8_t mode_ = 0;
};

TEST_F(Translate, AReleaseStoreIsReceived) {
  take(1, Op::AtomicStore, kX, Release);
  EXPECT_EQ(told(), "T1:release(1000)");
  take(2, Op::AtomicLoad, kX, Acquire);
  EXPECT_EQ(told(), "T2:acquire(1000)");
}
TEST_F(Translate, ARelaxedLoadReceivesNothing) {
  take(1, Op::AtomicStore, kX, Release);
  told();
  take(2, Op::AtomicLoad, kX, Relaxed);
  EXPECT_EQ(told(), "");
}
TEST_F(Translate, ARelaxedStoreEndsTheSequence) {
  take(1, Op::AtomicStore, kX, Release);
  take(1, Op::AtomicStore, kX, Relaxed);
  told();
  take(2, Op::AtomicLoad, kX, Acquire);
  EXPECT_EQ(told(), "");
}
TEST_F(Translate, AReadModifyWriteGoesOnWithIt) {
  take(1, Op::AtomicStore, kX, Release);
  take(2, Op::AtomicModify, kX, Relaxed);
  told();
  take(3, Op::AtomicLoad, kX, Acquire);
  EXPECT_EQ(told(), "T3:acquire(1000)");
  take(4, Op::AtomicModify, kX, Release);
  EXPECT_EQ(told(), "T4:merge(1000)");
  take(5, Op::AtomicModify, kX, AcqRel);  // has it all: it may replace
  EXPECT_EQ(told(), "T5:acquire(1000) T5:release(1000)");
}
TEST_F(Translate, AReleaseAfterAnEndedSequenceDoesNotAddToTheOldClock) {
  take(1, Op::AtomicStore, kX, Release);
  take(1, Op::AtomicStore, kX, Relaxed);
  told();
  take(2, Op::AtomicModify, kX, Release);
  EXPECT_EQ(told(), "T2:release(1000)");
}
TEST_F(Translate, AReleaseFenceLendsItsClock) {
  take(1, Op::Fence, 0, Release);
  EXPECT_EQ(told(), fmt::format("T1:release({:x})", kFence));
  take(1, Op::AtomicStore, kX, Relaxed);
  EXPECT_EQ(told(), "");
  take(2, Op::AtomicLoad, kX, Acquire);
  EXPECT_EQ(told(), fmt::format("T2:acquire({:x})", kFence));
  take(1, Op::Fence, 0, Release);  // the old one is still somebody's
  EXPECT_EQ(told(), fmt::format("T1:release({:x})", kFence + 1));
}
TEST_F(Translate, AnAcquireFenceReceivesWhatRelaxedLoadsRead) {
  take(1, Op::AtomicStore, kX, Release);
  take(1, Op::AtomicStore, kX + 8, Release);
  told();
  take(2, Op::AtomicLoad, kX, Relaxed);
  take(2, Op::Fence, 0, Acquire);
  EXPECT_EQ(told(), "T2:acquire(1000)");
  take(2, Op::Fence, 0, Acquire);
  EXPECT_EQ(told(), "");
}
TEST_F(Translate, WhatWasReadStaysAsItWasUntilTheFence) {
  take(2, Op::Fence, 0, Acquire);  // the program has such fences
  take(1, Op::AtomicStore, kX, Release);
  take(2, Op::AtomicLoad, kX, Relaxed);
  told();
  take(3, Op::AtomicStore, kX, Release);  // not what was read: another object
  EXPECT_EQ(told(), fmt::format("T3:release({:x})", kFence));
  take(2, Op::Fence, 0, Acquire);
  EXPECT_EQ(told(), "T2:acquire(1000)");
}
TEST_F(Translate, MemoryUsedAgainHasOtherObjects) {
  take(1, Op::Release, kX);
  take(1, Op::AtomicStore, kX + 8, Release);
  take(1, Op::Clear, kX, Relaxed, 64);
  told();
  take(2, Op::AtomicLoad, kX + 8, Acquire);
  EXPECT_EQ(told(), "");
  take(2, Op::Acquire, kX);
  EXPECT_EQ(told(), fmt::format("T2:acquire({:x})", std::uint64_t{1} << 47 | kX));
}
TEST_F(Translate, AGuardIsAnAtomicToo) {
  mode_ = 2;  // volatile
  take(1, Op::Release, kX);
  told();
  take(2, Op::AtomicLoad, kX, Acquire, 1);
  EXPECT_EQ(told(), "T2:acquire(1000)");
}
TEST_F(Translate, CallsThatAJumpEndedAreClosed) {
  take(1, Op::Enter, 0);
  take(1, Op::Enter, 1);
  take(1, Op::Enter, 2);
  told();
  take(1, Op::Enter, 1);  // after a longjmp out of the inner two
  EXPECT_EQ(told(), "T1:exit2 T1:exit1 T1:enter1");
  take(1, Op::Exit, 0);
  EXPECT_EQ(told(), "T1:exit1 T1:exit0");
}
TEST_F(Translate, MovesThatOverlapGoInStepsThatDoNot) {
  move(0x1000, 0x1008, 20);
  EXPECT_EQ(told(), "T0:100c->1014,8 T0:1004->100c,8 T0:1000->1008,4");
  move(0x1008, 0x1000, 16);
  EXPECT_EQ(told(), "T0:1008->1000,8 T0:1010->1008,8");
}

}  // namespace
}  // namespace steward::cli
