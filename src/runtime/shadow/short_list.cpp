#include "runtime/shadow/short_list.h"

#include <algorithm>

#include "runtime/shadow/readers.h"

namespace steward::rt {

ShortList ShortList::of(const ShadowCell& cell) {
  ShortList list;
  const Word w(cell.write), r(cell.read);
  if (w.is_list()) {
    each(cell, [&](const Entry& e) { list.append(e); });
    return list;
  }
  if (w.is_shared()) {
    const Readers readers = Readers::decode(cell);
    list.append({readers.write, AccessKind::Write, 0xff});
    for (const Readers::Entry& e : readers.entries) {
      const unsigned mask = ((e.halves & 1) != 0 ? 0x0fu : 0u) | ((e.halves & 2) != 0 ? 0xf0u : 0u);
      list.add({e.epoch, AccessKind::Read, static_cast<Mask>(mask)});
    }
    return list;
  }
  auto add_runs = [&](AccessKind kind, Word x) {
    if (x.low() == x.high()) return list.append({x.low(), kind, 0xff});
    const unsigned low = (1u << x.cut()) - 1;
    list.append({x.low(), kind, static_cast<Mask>(low)});
    list.append({x.high(), kind, static_cast<Mask>(0xff & ~low)});
  };
  add_runs(AccessKind::Write, w);
  add_runs(AccessKind::Read, r);
  return list;
}

namespace {

using Entry = AccessList::Entry;

bool is_prefix(unsigned mask) {
  return (mask & (mask + 1)) == 0;
}
bool is_suffix(unsigned mask) {
  return is_prefix(0xff ^ mask);
}

// The runs of bytes that a word can hold: [0, k) and [k, 8).
class Runs {
 public:
  void add(const Entry& e) {
    const bool low = is_prefix(e.mask), high = is_suffix(e.mask);
    fits_ = fits_ && (low || high) && (taken_ & e.mask) == 0;
    taken_ |= e.mask;
    if (low) {
      low_ = e.epoch;
      if (!high) cut_ = static_cast<unsigned>(__builtin_ctz(~unsigned{e.mask}));
    }
    if (high) {
      high_ = e.epoch;
      if (!low) cut_ = static_cast<unsigned>(__builtin_ctz(e.mask));
    }
    ++count_;
  }
  // Two runs must meet.
  bool fit() const { return fits_ && (count_ < 2 || (count_ == 2 && taken_ == 0xff)); }
  Word word() const { return Word::runs(cut_, low_, high_); }

 private:
  unsigned taken_ = 0, count_ = 0, cut_ = 4;
  Epoch30 low_ = 0, high_ = 0;
  bool fits_ = true;
};

// The latest epoch, if all are one thread's; else 0.
Epoch30 latest_of_one(const Entry* begin, const Entry* end) {
  Epoch30 latest = 0;
  for (const Entry* e = begin; e != end; ++e) {
    if (unpack(e->epoch).slot() != unpack(begin->epoch).slot()) return 0;
    latest = std::max(latest, e->epoch);
  }
  return latest;
}

}  // namespace

bool ShortList::encode_one_thread(const Entry* begin, const Entry* end, ShadowCell& out) {
  const Epoch30 latest = latest_of_one(begin, end);
  if (latest == 0 || end - begin > long{kOfOne}) return false;
  std::uint64_t words[2] = {latest, std::uint64_t{OneThread} << kFormAt};
  for (unsigned i = 0; begin + i != end; ++i) {
    const std::uint64_t ago = latest - begin[i].epoch;
    if (ago > kMostAgoOfOne) return false;
    words[i < 2 ? 0 : 1] |= (ago << 9 | (is_write(begin[i].kind) ? 0x100u : 0u) | begin[i].mask)
                            << kAt[i];
  }
  out = {Word::list(words[0]).bits(), Word::list(words[1]).bits()};
  return true;
}

bool ShortList::encode_six_of_one(const Entry* begin, const Entry* end, ShadowCell& out) {
  SixOfOne six;
  six.latest = latest_of_one(begin, end);
  if (six.latest == 0) return false;
  unsigned written = 0, read = 0, writes = 0, reads = 0;
  for (const Entry* e = begin; e != end; ++e) {
    const bool write = is_write(e->kind);
    SixOfOne::Kind& kind = write ? six.writes : six.reads;
    unsigned& taken = write ? written : read;
    const unsigned at = write ? writes++ : reads++;
    const unsigned ago = six.latest - e->epoch;
    if (at == SixOfOne::kOfKind || (taken & e->mask) != 0 || ago > SixOfOne::most_ago(write)) {
      return false;
    }
    taken |= e->mask;
    kind.ago[at] = ago;
    kind.mask[at] = e->mask;
  }
  out = six.encode();
  return true;
}

bool ShortList::encode_readers(const Entry* begin, const Entry* end, ShadowCell& out) {
  if (end - begin != 4) return false;
  const Entry* readers[3];
  Epoch30 write = 0;
  unsigned count = 0;
  for (const Entry* e = begin; e != end; ++e) {
    if (!is_write(e->kind)) {
      if (count == 3) return false;
      readers[count++] = e;
    } else if (e->mask == 0xff) {
      write = e->epoch;
    } else {
      return false;
    }
  }
  if (count != 3) return false;
  for (unsigned other = 0; other < 3; ++other) {
    const Entry* late = readers[(other + 1) % 3];
    const Entry* early = readers[(other + 2) % 3];
    if (late->epoch < early->epoch) std::swap(late, early);
    const std::uint64_t ago = late->epoch - early->epoch;
    if (ago > kMostAgo || unpack(late->epoch).slot() != unpack(early->epoch).slot()) continue;
    const Entry& third = *readers[other];
    const std::uint64_t masks = late->mask | early->mask << 8 | std::uint64_t{third.mask} << 16;
    out = {Word::list(std::uint64_t{late->epoch} << 32 | write).bits(),
           Word::list(std::uint64_t{ReadersOfOne} << kFormAt | ago << kAgoAt | masks << kMasksAt |
                      third.epoch)
               .bits()};
    return true;
  }
  return false;
}

bool ShortList::encode(const Entry* begin, const Entry* end, ShadowCell& out) {
  const long size = end - begin;
  if (size > long{kMost}) return false;
  for (const Entry* e = begin; e != end; ++e) {
    if (is_atomic(e->kind)) return false;
  }
  if (size > 3) {
    return encode_one_thread(begin, end, out) || encode_six_of_one(begin, end, out) ||
           encode_readers(begin, end, out);
  }
  std::uint64_t epochs[3] = {};
  std::uint64_t rest = 0;
  for (unsigned i = 0; begin + i != end; ++i) {
    epochs[i] = begin[i].epoch;
    rest |= std::uint64_t{begin[i].mask} << (kMasksAt + 8 * i);
    if (is_write(begin[i].kind)) rest |= std::uint64_t{1} << (kKindsAt + i);
  }
  out = {Word::list(epochs[1] << 32 | epochs[0]).bits(), Word::list(rest | epochs[2]).bits()};
  return true;
}

bool encode(const Entry* begin, const Entry* end, ShadowCell& out) {
  constexpr long kMost = 4;  // two runs each of reads and writes, or a write and its readers
  const auto is_run = [](const Entry& e) { return is_prefix(e.mask) || is_suffix(e.mask); };
  if (end - begin > kMost || !std::all_of(begin, end, is_run)) {
    return ShortList::encode(begin, end, out);
  }
  Runs writes, reads;
  bool halves = true;
  unsigned readers = 0;
  Readers all;
  for (const Entry* e = begin; e != end; ++e) {
    if (is_atomic(e->kind)) return false;
    if (e->kind == AccessKind::Write) {
      writes.add(*e);
      halves = halves && e->mask == 0xff;
      all.write = e->epoch;
      continue;
    }
    reads.add(*e);
    const bool low = (e->mask & 0x0f) == 0x0f, high = (e->mask & 0xf0) == 0xf0;
    halves =
        halves && readers < Readers::kCount && e->mask == ((low ? 0x0f : 0) | (high ? 0xf0 : 0));
    if (halves) all.entries[readers++] = {e->epoch, (low ? 1u : 0u) | (high ? 2u : 0u)};
  }
  if (writes.fit() && reads.fit()) {
    out = {writes.word().bits(), reads.word().bits()};
    return true;
  }
  if (!halves) return ShortList::encode(begin, end, out);
  out = all.encode();
  return true;
}

}  // namespace steward::rt
