// A granule's accesses as a list, in the 16 bytes of its cell: bytes of several histories, as words
// read at any byte make them, with no memory beside the shadow and no lock. Three forms:
//
//               write word                   read word
//   any three   10 | E1 | 10 | E0 (30 each)  1 | 0 (2) | kinds, masks (27)    | 10 | E2 (30)
//   readers     10 | E1 | 10 | E0            1 | 1 (2) | ago (5) | masks (24) | 10 | E2
//   one thread  10 | A1, A0 | 10 | E0        1 | 2 (2) | - | A4 (15)          | 1 | A3, A2
//
// Readers: E0 wrote all bytes; E1, the same thread `ago` clocks before, and E2 read some. One
// thread: five accesses An, each the clocks before E0 (6), kind (1) and mask (8).
//
// Each half has its highest bit set, so that none looks like an epoch to the same-epoch checks.
#pragma once

#include "runtime/shadow/access_list.h"
#include "runtime/shadow/cell.h"

namespace steward::rt {

class ShortList {
 public:
  using Entry = AccessList::Entry;
  using Mask = AccessList::Mask;

  static ShortList of(const ShadowCell& cell);  // any form but a side
  // The cell of these accesses; false: there is none.
  static bool encode(const Entry* begin, const Entry* end, ShadowCell& out);

  // One step of core's rules, as AccessList's.
  template <class Thread, class F>
  void access(const Thread& t, Epoch30 now, AccessKind kind, Mask mask, bool sampled, F race) {
    const Mask left = AccessList::step(entries_, size_, t, now, kind, mask, sampled, race);
    if (left != 0 && sampled) add({now, kind, left});
  }
  void add(const Entry& e) {
    if (!AccessList::merge(entries_, size_, e)) append(e);
  }
  // Has `now` made such an access to all of these bytes?
  static bool has(const ShadowCell& cell, Epoch30 now, bool write, Mask mask) {
    each(cell, [&](const Entry& e) {
      if (e.epoch == now && (is_write(e.kind) || !write)) mask = static_cast<Mask>(mask & ~e.mask);
    });
    return mask == 0;
  }

  const Entry* begin() const { return entries_; }
  const Entry* end() const { return entries_ + size_; }

 private:
  enum Form : std::uint64_t { AnyThree, ReadersOfOne, OneThread };
  static constexpr unsigned kFormAt = 61, kAgoAt = 56, kMasksAt = 32, kKindsAt = 56;
  static constexpr std::uint64_t kMostAgo = 31, kMostAgoOfOne = 63;
  static constexpr unsigned kOfOne = 5;
  // Where a thread's accesses are: the first two in the write word.
  static constexpr unsigned kAt[kOfOne] = {32, 47, 0, 15, 32};

  static AccessKind kind_of(bool write) { return write ? AccessKind::Write : AccessKind::Read; }

  // f(entry) for each of a list; some have no bytes.
  template <class F>
  __attribute__((always_inline)) static void each(const ShadowCell& c, F f) {
    const auto e0 = static_cast<Epoch30>(c.write) & Word::kEpoch;
    const auto e1 = static_cast<Epoch30>(c.write >> 32) & Word::kEpoch;
    const auto e2 = static_cast<Epoch30>(c.read) & Word::kEpoch;
    const auto mask = [&](unsigned i) { return static_cast<Mask>(c.read >> (kMasksAt + 8 * i)); };
    switch (c.read >> kFormAt & 3) {
      case AnyThree:
        f(Entry{e0, kind_of((c.read >> kKindsAt & 1) != 0), mask(0)});
        f(Entry{e1, kind_of((c.read >> (kKindsAt + 1) & 1) != 0), mask(1)});
        f(Entry{e2, kind_of((c.read >> (kKindsAt + 2) & 1) != 0), mask(2)});
        return;
      case ReadersOfOne:
        f(Entry{e0, AccessKind::Write, 0xff});
        f(Entry{e1, AccessKind::Read, mask(0)});
        f(Entry{e1 - static_cast<Epoch30>(c.read >> kAgoAt & kMostAgo), AccessKind::Read, mask(1)});
        f(Entry{e2, AccessKind::Read, mask(2)});
        return;
      default:
        for (unsigned i = 0; i < kOfOne; ++i) {
          const std::uint64_t code = (i < 2 ? c.write : c.read) >> kAt[i];
          f(Entry{e0 - static_cast<Epoch30>(code >> 9 & kMostAgoOfOne),
                  kind_of((code >> 8 & 1) != 0), static_cast<Mask>(code)});
        }
    }
  }
  static bool encode_one_thread(const Entry* begin, const Entry* end, ShadowCell& out);
  static bool encode_readers(const Entry* begin, const Entry* end, ShadowCell& out);

  void append(const Entry& e) {
    if (!unpack(e.epoch).is_minimal() && e.mask != 0) entries_[size_++] = e;
  }

  Entry entries_[kOfOne + 1];
  std::uint32_t size_ = 0;
};

// The cell that says the same as these accesses: two words, readers, or a short list. False: there
// is none.
bool encode(const AccessList::Entry* begin, const AccessList::Entry* end, ShadowCell& out);

}  // namespace steward::rt
