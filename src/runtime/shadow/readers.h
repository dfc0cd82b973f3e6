// A granule written in one epoch and read by up to three threads, in the 16 bytes of its cell: the
// usual form of data that is set up once and then read by all, with no memory beside the shadow.
//
//   write word: 11 | W (30) | R2's halves (2) | R2 (30)      read word: R1 | R0 likewise
//
// What this thread's read follows goes, whoever read it: who races with that later races with this
// read as well. FastTrack drops such entries only while the read map has one.
#pragma once

#include "runtime/shadow/cell.h"

namespace steward::rt {

class Readers {
 public:
  static constexpr unsigned kCount = 3;
  struct Entry {
    Epoch30 epoch = 0;
    std::uint32_t halves = 0;  // bit 0: bytes 0-3, bit 1: bytes 4-7
  };

  Epoch30 write = 0;
  Entry entries[kCount];

  static Readers decode(const ShadowCell& c) {
    Readers r;
    r.write = static_cast<Epoch30>(c.write >> 32) & kEpoch;
    r.entries[0] = entry(static_cast<std::uint32_t>(c.read));
    r.entries[1] = entry(static_cast<std::uint32_t>(c.read >> 32));
    r.entries[2] = entry(static_cast<std::uint32_t>(c.write));
    return r;
  }
  ShadowCell encode() const {
    // Without a third reader the low half is not 0 either: it would look empty.
    const std::uint32_t third = entries[2].epoch == 0 ? 3u << 30 : bits(entries[2]);
    return {Word::shared(std::uint64_t{write} << 32 | third).bits(),
            std::uint64_t{bits(entries[1])} << 32 | bits(entries[0])};
  }

  // Has this epoch read all of these halves?
  static bool has(const ShadowCell& c, Epoch30 now, std::uint32_t halves) {
    const std::uint32_t want = now | halves << 30, mask = kEpoch | halves << 30;
    const auto same = [&](std::uint64_t e) {
      return ((static_cast<std::uint32_t>(e) ^ want) & mask) == 0;
    };
    return same(c.read) || same(c.read >> 32) || same(c.write);
  }

  // Does the thread come after the write and all of them?
  template <class Thread>
  static bool is_past_of(const Thread& t, const ShadowCell& c) {
    const auto past = [&](std::uint64_t e) { return is_past(t, static_cast<Epoch30>(e) & kEpoch); };
    return past(c.write >> 32) && past(c.write) && past(c.read >> 32) && past(c.read);
  }

  // The cell after another read of these halves by one that has read just them, in an earlier
  // epoch; false if it has not.
  static bool read_again(const ShadowCell& c, Epoch30 now, std::uint32_t halves, ShadowCell& next) {
    constexpr std::uint32_t kNotClock = ~std::uint32_t{kClockLimit};
    const std::uint32_t mine = now | halves << 30;
    const auto same = [&](std::uint64_t e) {
      return (e & kClockLimit) != 0 && ((static_cast<std::uint32_t>(e) ^ mine) & kNotClock) == 0;
    };
    constexpr std::uint64_t kHalf = 0xffff'ffff;
    next = c;
    if (same(c.read)) {
      next.read = (c.read & ~kHalf) | mine;
    } else if (same(c.read >> 32)) {
      next.read = (c.read & kHalf) | std::uint64_t{mine} << 32;
    } else if (same(c.write)) {
      next.write = (c.write & ~kHalf) | mine;
    } else {
      return false;
    }
    return true;
  }

  // Adds a read; false if there is no room.
  template <class Thread>
  bool add(const Thread& t, Epoch30 now, std::uint32_t halves) {
    Entry* place = nullptr;
    for (Entry& e : entries) {
      if (e.epoch != 0 && e.epoch != now && t.covers(unpack(e.epoch))) e.halves &= ~halves;
      if (e.halves == 0) e.epoch = 0;
      if (e.epoch == now || (e.epoch == 0 && place == nullptr)) place = &e;
    }
    if (place == nullptr) return false;
    *place = {now, halves | (place->epoch == now ? place->halves : 0)};
    return true;
  }

 private:
  static constexpr Epoch30 kEpoch = (1u << 30) - 1;
  static Entry entry(std::uint32_t bits) { return {bits & kEpoch, bits >> 30}; }
  static std::uint32_t bits(const Entry& e) { return e.epoch == 0 ? 0 : e.epoch | e.halves << 30; }
};

}  // namespace steward::rt
