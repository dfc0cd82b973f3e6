#include "runtime/shadow/short_list.h"

#include "runtime/shadow/readers.h"

namespace steward::rt {

ShortList ShortList::of(const ShadowCell& cell) {
  ShortList list;
  const Word w(cell.write), r(cell.read);
  if (w.is_list()) {
    for (const Entry& e : decoded(cell)) list.add(e);
    return list;
  }
  if (w.is_shared()) {
    const Readers readers = Readers::decode(cell);
    list.add({readers.write, AccessKind::Write, 0xff});
    for (const Readers::Entry& e : readers.entries) {
      const unsigned mask = ((e.halves & 1) != 0 ? 0x0fu : 0u) | ((e.halves & 2) != 0 ? 0xf0u : 0u);
      list.add({e.epoch, AccessKind::Read, static_cast<Mask>(mask)});
    }
    return list;
  }
  auto add_runs = [&](AccessKind kind, Word x) {
    const unsigned low = (1u << x.cut()) - 1;
    list.add({x.low(), kind, static_cast<Mask>(low)});
    list.add({x.high(), kind, static_cast<Mask>(0xff & ~low)});
  };
  add_runs(AccessKind::Write, w);
  add_runs(AccessKind::Read, r);
  return list;
}

namespace {

using Entry = AccessList::Entry;

// The runs of bytes that a word can hold: [0, k) and [k, 8).
class Runs {
 public:
  void add(const Entry& e) {
    if (e.mask == 0xff && count_ == 0) {
      word_ = Word::uniform(e.epoch);
    } else if ((e.mask & (e.mask + 1)) == 0 && low_ == 0) {
      low_ = e.mask;
      low_epoch_ = e.epoch;
    } else if (is_suffix(e.mask) && high_ == 0) {
      high_ = e.mask;
      high_epoch_ = e.epoch;
    } else {
      fits_ = false;
    }
    ++count_;
  }
  // Two runs must meet.
  bool fit() const {
    return fits_ && (count_ < 2 || (count_ == 2 && (low_ ^ high_) == 0xff && low_ != 0xff));
  }
  Word word() const {
    if (low_ == 0 && high_ == 0) return word_;
    const unsigned k = low_ != 0 ? static_cast<unsigned>(__builtin_popcount(low_))
                                 : 8 - static_cast<unsigned>(__builtin_popcount(high_));
    return Word::runs(k, low_epoch_, high_epoch_);
  }

 private:
  static bool is_suffix(unsigned mask) { return ((0xff ^ mask) & ((0xff ^ mask) + 1)) == 0; }

  Word word_;
  unsigned low_ = 0, high_ = 0, count_ = 0;
  Epoch30 low_epoch_ = 0, high_epoch_ = 0;
  bool fits_ = true;
};

bool encode_short(const Entry* begin, const Entry* end, ShadowCell& out) {
  if (kSamples || end - begin > static_cast<long>(ShortList::kHeld)) return false;
  Epoch30 epochs[ShortList::kHeld] = {};
  std::uint64_t rest = 0;
  for (unsigned i = 0; begin + i != end; ++i) {
    if (is_atomic(begin[i].kind)) return false;
    epochs[i] = begin[i].epoch;
    rest |= std::uint64_t{begin[i].mask} << (32 + 8 * i);
    if (is_write(begin[i].kind)) rest |= std::uint64_t{1} << (56 + i);
  }
  out = {Word::list(std::uint64_t{epochs[1]} << 32 | epochs[0]).bits(),
         Word::list(rest | epochs[2]).bits()};
  return true;
}

}  // namespace

bool encode(const Entry* begin, const Entry* end, ShadowCell& out) {
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
    halves = halves && readers < Readers::kCount &&
             e->mask == ((low ? 0x0f : 0) | (high ? 0xf0 : 0));
    if (halves) all.entries[readers++] = {e->epoch, (low ? 1u : 0u) | (high ? 2u : 0u)};
  }
  if (writes.fit() && reads.fit()) {
    out = {writes.word().bits(), reads.word().bits()};
    return true;
  }
  if (!halves) return encode_short(begin, end, out);
  out = all.encode();
  return true;
}

}  // namespace steward::rt
