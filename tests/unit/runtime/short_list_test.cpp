// What fits into a cell comes out of it again, in every form a list has.
#include "runtime/shadow/short_list.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

namespace steward::rt {
namespace {

using Entry = AccessList::Entry;
using Bytes = std::map<std::pair<Epoch30, AccessKind>, unsigned>;  // what each access stands for

Bytes bytes_of_list(const Entry* begin, const Entry* end) {
  Bytes out;
  for (const Entry* e = begin; e != end; ++e) out[{e->epoch, e->kind}] |= e->mask;
  return out;
}

Epoch30 epoch(unsigned slot, unsigned clock) {
  return pack(Epoch{Slot{slot}, clock});
}

void expect_back(const std::vector<Entry>& list, const ShadowCell& cell) {
  const ShortList back = ShortList::of(cell);
  EXPECT_EQ(bytes_of_list(back.begin(), back.end()),
            bytes_of_list(list.data(), list.data() + list.size()));
}

// No half of the cell looks like an epoch, or empty, to the checks inside the program.
void expect_no_epoch(const ShadowCell& cell) {
  for (const std::uint64_t half : {cell.write, cell.write >> 32, cell.read, cell.read >> 32}) {
    EXPECT_NE(half & 0x8000'0000, 0u);
  }
}

TEST(ShortList, GoesIntoACellAndComesBack) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned lists = 0, larger = 0;
  for (int i = 0; i < 300'000; ++i) {
    const unsigned threads = 1 + below(3), near = below(2) == 0 ? 20 : 200;
    std::vector<Entry> list;
    const unsigned size = below(7);
    unsigned written = 0;  // a byte has one last write
    for (unsigned k = 0; k < size; ++k) {
      Entry e{epoch(below(threads), 1000 + below(near)),
              below(3) == 0 ? AccessKind::Write : AccessKind::Read,
              static_cast<AccessList::Mask>(below(4) == 0 ? 0xff : 1 + below(255))};
      if (is_write(e.kind)) e.mask = static_cast<AccessList::Mask>(e.mask & ~written);
      if (is_write(e.kind)) written |= e.mask;
      if (e.mask == 0) continue;
      if (!AccessList::merge(list.data(), static_cast<std::uint32_t>(list.size()), e))
        list.push_back(e);
    }
    ShadowCell cell{};
    if (!encode(list.data(), list.data() + list.size(), cell)) continue;
    expect_back(list, cell);
    if (!Word(cell.write).is_list()) continue;
    ++lists;
    larger += list.size() > 3 ? 1 : 0;
    expect_no_epoch(cell);
    for (const Entry& e : list) {
      EXPECT_TRUE(ShortList::has(cell, e.epoch, is_write(e.kind), e.mask));
      EXPECT_FALSE(ShortList::has(cell, epoch(9, 9), false, e.mask));
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(lists, 10'000u);
  EXPECT_GT(larger, 1'000u);
}

TEST(ShortList, HoldsFiveAccessesOfOneThread) {
  const std::vector<Entry> list = {{epoch(3, 100), AccessKind::Write, 0xff},
                                   {epoch(3, 110), AccessKind::Read, 0x12},
                                   {epoch(3, 120), AccessKind::Read, 0x04},
                                   {epoch(3, 130), AccessKind::Write, 0x80},
                                   {epoch(3, 163), AccessKind::Read, 0x29}};
  ShadowCell cell{};
  ASSERT_TRUE(encode(list.data(), list.data() + list.size(), cell));
  expect_back(list, cell);
  std::vector<Entry> far = list;
  far[4].epoch = epoch(3, 164);  // 64 clocks after the first
  EXPECT_FALSE(encode(far.data(), far.data() + far.size(), cell));
  std::vector<Entry> other = list;
  other[4].epoch = epoch(4, 163);
  EXPECT_FALSE(encode(other.data(), other.data() + other.size(), cell));
}

TEST(ShortList, HoldsThreeWritesAndThreeReadsOfOneThread) {
  const std::vector<Entry> list = {
      {epoch(3, 2000), AccessKind::Read, 0x21},  {epoch(3, 1489), AccessKind::Read, 0x82},
      {epoch(3, 1600), AccessKind::Read, 0x10},  {epoch(3, 977), AccessKind::Write, 0xc1},
      {epoch(3, 1999), AccessKind::Write, 0x06}, {epoch(3, 1500), AccessKind::Write, 0x28}};
  const auto fits = [](const std::vector<Entry>& l, ShadowCell& cell) {
    return encode(l.data(), l.data() + l.size(), cell);
  };
  ShadowCell cell{}, none{};
  ASSERT_TRUE(fits(list, cell));
  expect_back(list, cell);
  expect_no_epoch(cell);
  for (const Entry& e : list) {
    EXPECT_TRUE(ShortList::has(cell, e.epoch, is_write(e.kind), e.mask));
    EXPECT_FALSE(ShortList::has(cell, e.epoch, !is_write(e.kind) || e.mask == 0xff, 0xff));
  }
  const auto changed = [&](unsigned i, Entry e) {
    std::vector<Entry> l = list;
    l[i] = e;
    return l;
  };
  // Longer ago, another's, two of a kind with a byte in common, and four of a kind.
  EXPECT_FALSE(fits(changed(1, {epoch(3, 1488), AccessKind::Read, 0x82}), none));
  EXPECT_FALSE(fits(changed(3, {epoch(3, 976), AccessKind::Write, 0xc1}), none));
  EXPECT_FALSE(fits(changed(0, {epoch(2, 2000), AccessKind::Read, 0x21}), none));
  EXPECT_FALSE(fits(changed(0, {epoch(3, 2000), AccessKind::Read, 0x23}), none));
  EXPECT_FALSE(fits(changed(0, {epoch(3, 2000), AccessKind::Write, 0x10}), none));
}

TEST(ShortList, HoldsThreeReadsByTwoThreadsOfWhatAThirdWrote) {
  std::vector<Entry> list = {{epoch(4, 15), AccessKind::Read, 0x3c},
                             {epoch(1, 7), AccessKind::Write, 0xff},
                             {epoch(3, 9), AccessKind::Read, 0xff},
                             {epoch(4, 46), AccessKind::Read, 0x42}};
  ShadowCell cell{};
  ASSERT_TRUE(encode(list.data(), list.data() + list.size(), cell));
  expect_back(list, cell);
  list[3].epoch = epoch(4, 47);  // 32 clocks after the first
  EXPECT_FALSE(encode(list.data(), list.data() + list.size(), cell));
  list[3].epoch = epoch(5, 46);
  EXPECT_FALSE(encode(list.data(), list.data() + list.size(), cell));
}

// A thread that knows so much of each of four slots.
struct Knowing {
  Epoch30 epoch;
  Clock known[4];
  bool covers(Epoch e) const { return e.clock() <= known[raw(e.slot())]; }
};
bool is_past(const Knowing& t, Epoch30 e) {
  return t.covers(unpack(e));
}

// The short way from cell to cell says what the long one says, or nothing.
TEST(ShortList, AStepWithFewAccessesIsTheUsualStep) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned steps = 0, shorter = 0, racy = 0;
  ShadowCell cell{0, 0};
  for (unsigned n = 0; n < 1'000'000; ++n) {
    if (below(12) == 0) cell = {0, 0};
    Knowing t{};
    const unsigned slot = below(3);
    for (Clock& c : t.known) c = 18 + below(6);
    t.known[slot] = 20 + below(4);
    t.epoch = epoch(slot, t.known[slot]);
    const bool write = below(3) == 0;
    const unsigned from = below(8), to = from + 1 + below(8 - from);
    const auto mask = bytes_of(from, to);
    ShortList list = ShortList::of(cell);
    const unsigned before = static_cast<unsigned>(list.end() - list.begin());
    bool races = false;
    list.access(t, t.epoch, write ? AccessKind::Write : AccessKind::Read, mask, true,
                [&](AccessKind, Epoch30, unsigned) { races = true; });
    ShadowCell next, few;
    const bool fits = encode(list.begin(), list.end(), next);
    if (ShortList::step_few(t, write, mask, cell, few)) {
      ASSERT_FALSE(races);
      ASSERT_TRUE(fits);
      expect_back({list.begin(), list.end()}, few);
      EXPECT_EQ(Word(few.write).is_plain(), Word(next.write).is_plain());
      EXPECT_EQ(Word(few.write).is_shared(), Word(next.write).is_shared());
      ++shorter;
    }
    ++steps;
    racy += races ? 1 : 0;
    const unsigned after = static_cast<unsigned>(list.end() - list.begin());
    if (!races && before <= 3 && after <= 3 && fits && Word(next.write).is_list()) {
      EXPECT_TRUE(Word(cell.write).is_shared() || ShortList::step_few(t, write, mask, cell, few));
    }
    if (fits) cell = next;
  }
  EXPECT_GT(shorter, steps / 4);
  EXPECT_GT(racy, steps / 20);
}

}  // namespace
}  // namespace steward::rt
