// A granule's accesses as a list, in the 16 bytes of its cell: bytes of several histories, as words
// read at any byte make them, with no memory beside the shadow and no lock. Four forms:
//
//               write word                   read word
//   any three   10 | E1 | 10 | E0 (30 each)  1 | 0 (2) | kinds, masks (27)    | 10 | E2 (30)
//   readers     10 | E1 | 10 | E0            1 | 1 (2) | ago (5) | masks (24) | 10 | E2
//   one thread  10 | A1, A0 | 10 | E0        1 | 2 (2) | - | A4 (15)          | 1 | A3, A2
//
// Readers: E0 wrote all bytes; E1, the same thread `ago` clocks before, and E2 read some. One
// thread: five accesses An, each the clocks before E0 (6), kind (1) and mask (8). The fourth form
// is another of one thread (shadow/six_of_one.h).
//
// Each half has its highest bit set, so that none looks like an epoch to the same-epoch checks.
#pragma once

#include "runtime/shadow/access_list.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/six_of_one.h"

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
    std::uint32_t same;
    const Mask left = AccessList::step(entries_, size_, t, now, kind, mask, sampled, same, race);
    if (left == 0 || !sampled) return;
    if (same == AccessList::kUnseen) return append({now, kind, left});
    entries_[same].mask = static_cast<Mask>(entries_[same].mask | left);
  }
  // For an entry besides that of one more access.
  bool has_room() const { return size_ < kMost; }
  void add(const Entry& e) {
    if (!AccessList::merge(entries_, size_, e)) append(e);
  }
  // Has `now` made such an access to all of these bytes? Without a branch but for the form.
  __attribute__((always_inline)) static bool has(const ShadowCell& c, Epoch30 now, bool write,
                                                 Mask mask) {
    constexpr std::uint64_t kListed = 0x8000'0000'8000'0000;  // both halves
    if ((c.read & kListed) != kListed) return false;          // the words are of two times
    unsigned made = 0;
    const auto add = [&](Epoch30 e, bool counts, unsigned m) __attribute__((always_inline)) {
      made |= (e == now) & counts ? m : 0;
    };
    const auto e0 = static_cast<Epoch30>(c.write) & Word::kEpoch;
    const auto e1 = static_cast<Epoch30>(c.write >> 32) & Word::kEpoch;
    const auto e2 = static_cast<Epoch30>(c.read) & Word::kEpoch;
    const auto m = [&](unsigned i) { return static_cast<Mask>(c.read >> (kMasksAt + 8 * i)); };
    switch (c.read >> kFormAt & 3) {
      case AnyThree: {
        const auto counts = [&](unsigned i) {
          return !write | ((c.read >> (kKindsAt + i) & 1) != 0);
        };
        add(e0, counts(0), m(0));
        add(e1, counts(1), m(1));
        add(e2, counts(2), m(2));
        break;
      }
      case ReadersOfOne:
        add(e0, true, 0xff);
        add(e1, !write, m(0));
        add(e1 - static_cast<Epoch30>(c.read >> kAgoAt & kMostAgo), !write, m(1));
        add(e2, !write, m(2));
        break;
      case SixOfOne::kForm:
        return SixOfOne::has(c, now, write, mask);
      default:
        for (unsigned i = 0; i < kOfOne; ++i) {
          const auto code = static_cast<unsigned>((i < 2 ? c.write : c.read) >> kAt[i]);
          add(e0 - (code >> 9 & kMostAgoOfOne), !write | ((code & 0x100) != 0), code & 0xff);
        }
    }
    return (mask & ~made) == 0;
  }

  // Does the thread come after all that a list knows?
  template <class Thread>
  static bool is_past_of(const Thread& t, const ShadowCell& c) {
    // The latest of one thread's; what has no bytes has no epoch either.
    if (!is_past(t, static_cast<Epoch30>(c.write) & Word::kEpoch)) return false;
    return (c.read >> kFormAt & 3) >= OneThread ||
           (is_past(t, static_cast<Epoch30>(c.write >> 32) & Word::kEpoch) &&
            is_past(t, static_cast<Epoch30>(c.read) & Word::kEpoch));
  }

  // The cell after a sampled access of the thread `t` (Epoch30 epoch, bool is_past(t, Epoch30))
  // that comes after all it conflicts with, where a list has room for it as it stands. The same
  // step, in place. False: it has not, or the list is no longer needed.
  template <class Thread>
  __attribute__((always_inline)) static bool grow(const Thread& t, bool write, Mask mask,
                                                  const ShadowCell& seen, ShadowCell& next) {
    if (!Word(seen.write).is_list()) return false;
    ShadowCell grown;
    if (!grow_list(t, write, mask, seen, grown)) return false;
    next = grown;
    return true;
  }

  // The cell after such an access where four accesses at most are known, as two words or a list of
  // three have them, and as many words or as long a list hold what is known then. False: otherwise.
  template <class Thread>
  __attribute__((noinline)) static bool step_few(const Thread& t, bool write, Mask mask,
                                                 ShadowCell seen, ShadowCell& next) {
    Few few;
    if (!few.decode(seen)) return false;
    unsigned left = mask;
    for (unsigned i = 0; i < Few::kMost; ++i) {
      const unsigned common = few.mask[i] & mask;
      if (common == 0) continue;
      const bool past = is_past(t, few.epoch[i]), wrote = few.wrote(i);
      if (!past && (write || wrote)) return false;
      if (write || (past && !wrote)) {
        few.mask[i] &= ~unsigned{mask};
      } else if (few.epoch[i] == t.epoch) {  // it wrote them: that stands for its reads
        left &= ~common;
      }
    }
    return (left == 0 || few.add(t.epoch, write, left)) && few.encode(next);
  }

  const Entry* begin() const { return entries_; }
  const Entry* end() const { return entries_ + size_; }

 private:
  // Four accesses side by side: an unused one has no bytes.
  struct Few {
    static constexpr unsigned kMost = 4;
    Epoch30 epoch[kMost];
    unsigned mask[kMost];
    unsigned writes;  // a bit each

    bool wrote(unsigned i) const { return (writes >> i & 1) != 0; }
    bool decode(const ShadowCell& c) {
      const Word w(c.write), r(c.read);
      if (w.is_plain()) {
        put_runs(0, w);
        put_runs(2, r);
        writes = 3;
      } else if (w.is_list() && (c.read >> kFormAt & 3) == AnyThree) {
        epoch[0] = w.low();
        epoch[1] = w.high();
        epoch[2] = static_cast<Epoch30>(c.read) & Word::kEpoch;
        epoch[3] = 0;
        for (unsigned i = 0; i < 3; ++i) mask[i] = c.read >> (kMasksAt + 8 * i) & 0xff;
        mask[3] = 0;
        writes = c.read >> kKindsAt & 7;
      } else {
        return false;
      }
      return true;
    }
    bool add(Epoch30 now, bool write, unsigned bytes) {
      unsigned free = kMost;
      for (unsigned i = 0; i < kMost; ++i) {
        if (mask[i] == 0) {
          free = i;
        } else if (epoch[i] == now && wrote(i) == write) {
          mask[i] |= bytes;
          return true;
        }
      }
      if (free == kMost) return false;
      epoch[free] = now;
      mask[free] = bytes;
      writes = (writes & ~(1u << free)) | (write ? 1u : 0u) << free;
      return true;
    }
    bool encode(ShadowCell& out) const {
      std::uint64_t w = 0, r = 0;
      if (runs(true, w) && runs(false, r)) {
        out = {w, r};
        return true;
      }
      Epoch30 e[kMost] = {};
      std::uint64_t rest = 0;
      unsigned used = 0;
      bool halves = true;  // readers of one write have a form of their own (readers.h)
      for (unsigned i = 0; i < kMost; ++i) {
        if (mask[i] == 0) continue;
        e[used] = epoch[i];
        rest |= std::uint64_t{mask[i]} << (kMasksAt + 8 * used) | std::uint64_t{writes >> i & 1}
                                                                      << (kKindsAt + used);
        halves = halves && (mask[i] == 0xff || (!wrote(i) && (mask[i] == 0x0f || mask[i] == 0xf0)));
        ++used;
      }
      if (halves || used == kMost) return false;
      out = {Word::list(std::uint64_t{e[1]} << 32 | e[0]).bits(), Word::list(rest | e[2]).bits()};
      return true;
    }

   private:
    void put_runs(unsigned at, const Word& x) {
      const unsigned low = x.low() == x.high() ? 0xff : (1u << x.cut()) - 1;
      epoch[at] = x.low();
      epoch[at + 1] = x.high();
      mask[at] = is_minimal(x.low()) ? 0 : low;
      mask[at + 1] = is_minimal(x.high()) ? 0 : 0xff & ~low;
    }
    // The reads, or the writes, as the two runs of a word, which meet; false: they are not.
    bool runs(bool write, std::uint64_t& out) const {
      unsigned low = 0, high = 0;
      Epoch30 first = 0, second = 0;
      for (unsigned i = 0; i < kMost; ++i) {
        const unsigned m = mask[i];
        if (m == 0 || wrote(i) != write) continue;
        if ((m & (m + 1)) == 0 && low == 0) {  // from the first byte on
          low = m;
          first = epoch[i];
        } else if ((m & 0x80) != 0 && ((m | (m - 1)) == 0xff) && high == 0) {  // to the last
          high = m;
          second = epoch[i];
        } else {
          return false;
        }
      }
      if (low == 0xff) {
        out = Word::uniform(first).bits();
        return high == 0;
      }
      if (low != 0 && high != 0 && (low ^ high) != 0xff) return false;
      if ((low | high) == 0) return true;
      const auto k = static_cast<unsigned>(__builtin_ctz(low != 0 ? ~low : high));
      out = Word::runs(k, first, second).bits();
      return true;
    }
  };

  enum Form : std::uint64_t { AnyThree, ReadersOfOne, OneThread };
  static constexpr unsigned kFormAt = 61, kAgoAt = 56, kMasksAt = 32, kKindsAt = 56;
  static constexpr std::uint64_t kMostAgo = 31;
  static constexpr Epoch30 kMostAgoOfOne = 63;
  static constexpr unsigned kOfOne = 5, kMost = 2 * SixOfOne::kOfKind;
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
      case SixOfOne::kForm: {
        const SixOfOne six = SixOfOne::decode(c);
        for (unsigned i = 0; i < SixOfOne::kOfKind; ++i) {
          f(Entry{six.latest - six.writes.ago[i], AccessKind::Write,
                  static_cast<Mask>(six.writes.mask[i])});
          f(Entry{six.latest - six.reads.ago[i], AccessKind::Read,
                  static_cast<Mask>(six.reads.mask[i])});
        }
        return;
      }
      default:
        for (unsigned i = 0; i < kOfOne; ++i) {
          const std::uint64_t code = (i < 2 ? c.write : c.read) >> kAt[i];
          f(Entry{e0 - static_cast<Epoch30>(code >> 9 & kMostAgoOfOne),
                  kind_of((code >> 8 & 1) != 0), static_cast<Mask>(code)});
        }
    }
  }
  static constexpr std::uint64_t kMasks = std::uint64_t{0xff'ffff} << kMasksAt;
  static std::uint64_t masks_of(const Mask (&m)[3]) {
    return std::uint64_t{m[0] | unsigned{m[1]} << 8 | unsigned{m[2]} << 16} << kMasksAt;
  }

  // Cells by value: the hooks need not have them in memory.
  template <class Thread>
  static bool grow_list(const Thread& t, bool write, Mask mask, ShadowCell seen, ShadowCell& next) {
    switch (seen.read >> kFormAt & 3) {
      case AnyThree:
        return grow_any_three(t, write, mask, seen, next);
      case ReadersOfOne:
        return !write && grow_readers(t, mask, seen, next);
      case SixOfOne::kForm:
        return SixOfOne::grow(t.epoch, write, mask, seen, next);
      default:
        return grow_one_thread(t, write, mask, seen, next);
    }
  }

  template <class Thread>
  static bool grow_any_three(const Thread& t, bool write, Mask mask, ShadowCell seen,
                             ShadowCell& next) {
    constexpr unsigned kNone = 3;
    Epoch30 e[3] = {static_cast<Epoch30>(seen.write) & Word::kEpoch,
                    static_cast<Epoch30>(seen.write >> 32) & Word::kEpoch,
                    static_cast<Epoch30>(seen.read) & Word::kEpoch};
    Mask m[3];
    unsigned place = kNone;
    Mask left = mask;
    for (unsigned i = 0; i < 3; ++i) {
      m[i] = static_cast<Mask>(seen.read >> (kMasksAt + 8 * i));
      const bool wrote = (seen.read >> (kKindsAt + i) & 1) != 0;
      if ((m[i] & mask) != 0) {
        const bool past = is_past(t, e[i]);
        if (!past && (write || wrote)) return false;
        if (write || (past && !wrote)) {
          m[i] = static_cast<Mask>(m[i] & ~mask);
        } else if (e[i] == t.epoch) {  // it wrote them: that stands for its reads
          left = static_cast<Mask>(left & ~m[i]);
        }
      }
      if (e[i] == t.epoch && wrote == write) place = i;
      if (m[i] == 0 && place == kNone) place = i;
    }
    if (place == kNone) return false;
    m[place] = static_cast<Mask>(m[place] | left);
    const unsigned empty = (m[0] == 0 ? 1u : 0u) + (m[1] == 0 ? 1u : 0u) + (m[2] == 0 ? 1u : 0u);
    if (m[place] == 0xff || empty != 0) return false;
    e[place] = t.epoch;
    const std::uint64_t kind = std::uint64_t{1} << (kKindsAt + place);
    const std::uint64_t rest = (seen.read & ~kMasks & ~kind & ~std::uint64_t{Word::kEpoch}) |
                               (write ? kind : 0) | masks_of(m) | e[2];
    next = {Word::list(std::uint64_t{e[1]} << 32 | e[0]).bits(), rest};
    return true;
  }

  template <class Thread>
  static bool grow_readers(const Thread& t, Mask mask, ShadowCell seen, ShadowCell& next) {
    const auto writer = static_cast<Epoch30>(seen.write) & Word::kEpoch;
    const auto late = static_cast<Epoch30>(seen.write >> 32) & Word::kEpoch;
    const auto early = late - static_cast<Epoch30>(seen.read >> kAgoAt & kMostAgo);
    const auto third = static_cast<Epoch30>(seen.read) & Word::kEpoch;
    if (writer == t.epoch || !is_past(t, writer)) return false;
    const Epoch30 e[3] = {late, early, third};
    Mask m[3];
    unsigned place = 3;
    for (unsigned i = 0; i < 3; ++i) {
      m[i] = static_cast<Mask>(seen.read >> (kMasksAt + 8 * i));
      if (e[i] == t.epoch) {
        place = i;
        m[i] = static_cast<Mask>(m[i] | mask);
      } else if ((m[i] & mask) != 0 && is_past(t, e[i])) {
        m[i] = static_cast<Mask>(m[i] & ~mask);
      }
    }
    if (place == 3 || m[place] == 0xff) return false;
    next = {seen.write, (seen.read & ~kMasks) | masks_of(m)};
    return true;
  }

  // All before it are its own.
  template <class Thread>
  static bool grow_one_thread(const Thread& t, bool write, Mask mask, ShadowCell seen,
                              ShadowCell& next) {
    constexpr unsigned kKind = 0x100, kAgoOfOneAt = 9, kCode = 0x7fff;
    const auto latest = static_cast<Epoch30>(seen.write) & Word::kEpoch;
    if ((latest ^ t.epoch) >> kClockBits != 0) return false;
    const unsigned later = t.epoch - latest;
    if (later > kMostAgoOfOne) return false;
    unsigned code[kOfOne], used = 0, place = kOfOne;
    unsigned left = mask;
    for (unsigned i = 0; i < kOfOne; ++i) {
      unsigned c = static_cast<unsigned>((i < 2 ? seen.write : seen.read) >> kAt[i]) & kCode;
      const bool wrote = (c & kKind) != 0;
      if (write || !wrote) {
        c &= ~unsigned{mask};
      } else if (c >> kAgoOfOneAt == 0 && later == 0) {  // it wrote them: that stands for its reads
        left &= ~c;
      }
      if ((c & 0xff) != 0) {
        c += later << kAgoOfOneAt;
        if (c > kCode) return false;
        if (c >> kAgoOfOneAt == 0 && wrote == write) place = i;
        ++used;
      } else {
        c = 0;
        if (place == kOfOne) place = i;
      }
      code[i] = c;
    }
    if (place == kOfOne) return false;
    if ((code[place] & 0xff) == 0) {
      code[place] = write ? kKind : 0;
      ++used;
    }
    code[place] |= left & 0xff;
    constexpr unsigned kFew = 2;  // two words may hold them
    if (used <= kFew || (code[place] & 0xff) == 0xff) return false;
    std::uint64_t words[2] = {t.epoch, std::uint64_t{OneThread} << kFormAt};
    for (unsigned i = 0; i < kOfOne; ++i) words[i < 2 ? 0 : 1] |= std::uint64_t{code[i]} << kAt[i];
    next = {Word::list(words[0]).bits(), Word::list(words[1]).bits()};
    return true;
  }

  static bool encode_one_thread(const Entry* begin, const Entry* end, ShadowCell& out);
  static bool encode_six_of_one(const Entry* begin, const Entry* end, ShadowCell& out);
  static bool encode_readers(const Entry* begin, const Entry* end, ShadowCell& out);

  void append(const Entry& e) {
    if (!unpack(e.epoch).is_minimal() && e.mask != 0) entries_[size_++] = e;
  }

  Entry entries_[kMost + 1];
  std::uint32_t size_ = 0;
};

// The cell that says the same as these accesses: two words, readers, or a short list. False: there
// is none.
bool encode(const AccessList::Entry* begin, const AccessList::Entry* end, ShadowCell& out);

}  // namespace steward::rt
