// FastTrack's state of the eight bytes of a granule when two words cannot hold it: a list of
// accesses, each with the bytes it stands for. Exact to the byte, and small: an access that no
// later check can need is dropped, byte by byte.
//
// The rules are core's (core/fasttrack/access.h), one for each kind. Where that keeps a read map as
// it is once it has two entries, here every access that the new one follows goes: who would race
// with it later races with the new one as well.
//
// A list of many reads may be kept as marks on a roll (shadow/roll.h): two bits a thread for the
// halves it has read in the epoch that the roll says, and one entry for what is no read. A thread
// then finds its own at once, and another is one bit; whoever wants anything else has the list
// written out again (list_out).
#pragma once

#include <algorithm>
#include <bit>

#include "core/memory/pool.h"
#include "event/race.h"
#include "runtime/shadow/roll.h"
#include "runtime/shadow/side_lock.h"
#include "runtime/shadow/word.h"

namespace steward::rt {

// The bytes [from, to) of a granule.
constexpr std::uint8_t bytes_of(unsigned from, unsigned to) {
  return static_cast<std::uint8_t>((1u << to) - (1u << from));
}

class AccessList {
 public:
  using Mask = std::uint8_t;  // bit i: byte i
  struct alignas(8) Entry {
    Epoch30 epoch;
    AccessKind kind;
    Mask mask;
  };
  static_assert(sizeof(Entry) == 8);

  // One step of an access of `t` (bool covers(Epoch)) at `now` to some bytes: race(kind, epoch,
  // mask) for each earlier access that it races with; what it stands for goes. Returns the bytes to
  // remember it by. One that is not remembered (PACER) stands for its own thread's at most. `same`:
  // where its epoch has made such an access, if that has been seen.
  template <class Thread, class F>
  static Mask step(Entry* entries, std::uint32_t& size, const Thread& t, Epoch30 now,
                   AccessKind kind, Mask mask, bool sampled, std::uint32_t& same, F race) {
    same = kUnseen;
    if (size >= kMany && kind == AccessKind::Read && sampled) {
      const Mask left = read_among_many(entries, size, t, now, mask, race);
      for (std::uint32_t i = 0; i < size; ++i) {
        if (entries[i].epoch == now && entries[i].kind == kind) same = i;
      }
      return left;
    }
    std::uint32_t kept = 0;
    Mask left = mask;  // less what this epoch has written: that stands for a read of its own
    for (std::uint32_t i = 0; i < size; ++i) {
      Entry e = entries[i];
      const Mask had = e.mask;
      const auto common = static_cast<Mask>(e.mask & mask);
      if (common != 0) {
        const bool before = t.covers(unpack(e.epoch));
        if (!before && conflict(kind, e.kind)) race(e.kind, e.epoch, common);
        if (e.epoch == now && is_write(e.kind) && !is_write(kind) &&
            is_atomic(e.kind) == is_atomic(kind)) {
          left = static_cast<Mask>(left & ~common);
        }
        const bool goes = before && (sampled || unpack(e.epoch).slot() == unpack(now).slot());
        if (kind == AccessKind::Write || (goes && stands_for(kind, e.kind))) {
          e.mask = static_cast<Mask>(e.mask & ~mask);
        }
      }
      if (e.mask == 0) continue;
      if (e.epoch == now && e.kind == kind) same = kept;
      if (kept != i || e.mask != had) put(entries[kept], e);
      ++kept;
    }
    size = kept;
    return left;
  }
  // Adds the bytes to the entry of the same epoch and kind; false: there is none.
  static bool merge(Entry* entries, std::uint32_t size, const Entry& e) {
    for (std::uint32_t i = 0; i < size; ++i) {
      if (entries[i].epoch == e.epoch && entries[i].kind == e.kind) {
        put(entries[i], {e.epoch, e.kind, static_cast<Mask>(entries[i].mask | e.mask)});
        return true;
      }
    }
    return false;
  }

  // The same on this list. An access that is not sampled (PACER) is not remembered.
  template <class Thread, class F>
  void access(Pool& pool, const Thread& t, Epoch30 now, AccessKind kind, Mask mask, bool sampled,
              F race) {
    std::uint32_t size = size_, same;
    const Mask left = step(entries(), size, t, now, kind, mask, sampled, same, race);
    if (left != 0 && sampled && same != kUnseen) {
      Entry& e = entries()[same];
      put(e, {now, kind, static_cast<Mask>(e.mask | left)});
      return resize(size);
    }
    const bool grows = left != 0 && sampled && size == capacity();
    if (grows && size >= kMany && kind == AccessKind::Read) drop_past(size, t, mask);
    resize(size);
    if (left != 0 && sampled) append(pool, {now, kind, left});
  }

  // The same of a plain access that is remembered, races with nothing and finds room: nearly all
  // do. Before: its epoch has made such an access to all of these bytes. No: not so. Then access()
  // has to be asked, before the lock is given; that some of what makes way for the access has gone
  // already makes no difference to it.
  enum class Made : std::uint8_t { Now, Before, No };
  // A function of its own: its loop then has all registers.
  template <bool Write, class Thread>
  __attribute__((noinline)) Made advance(const Thread& t, Epoch30 now, Mask mask) {
    Entry* const all = entries();
    const unsigned had = size_;
    if (had >= kMany) return Made::No;
    constexpr std::uint64_t kKind = Write ? kWrote : 0;
    const std::uint64_t bytes = std::uint64_t{mask} << kMaskAt;
    std::uint64_t left = bytes;
    // Where it is put: with what its epoch has, or in the place of what goes.
    Entry* same = nullptr;
    Entry* hole = nullptr;
    Entry* end = all + had;
    const auto keep_size = [&] {
      if (end != all + had) resize(static_cast<std::uint32_t>(end - all));
    };
    for (Entry* p = all; p != end; ++p) {
      const std::uint64_t e = load(*p);
      if (static_cast<Epoch30>(e) == now && (e & kKinds) == kKind) {
        same = p;
        continue;
      }
      if ((e & bytes) == 0) continue;
      const bool past = is_past(t, static_cast<Epoch30>(e));
      if ((e & kAtomic) != 0 || (!past && (Write || (e & kWrote) != 0))) {
        keep_size();
        return Made::No;
      }
      if (!Write && (e & kWrote) != 0) {
        if (static_cast<Epoch30>(e) == now) left &= ~e;  // it wrote them: that stands for its reads
      } else if (past && (e & kMasks & ~bytes) != 0) {
        store(*p, e & ~bytes);
      } else if (past && hole == nullptr) {
        hole = p;
      } else if (past) {
        store(*p--, load(*--end));
      }
    }
    Made made = Made::Before;
    if (same != nullptr) left &= ~load(*same);
    if (left != 0) {
      made = Made::Now;
      if (same != nullptr) {
        store(*same, load(*same) | left);
      } else if (hole != nullptr) {
        store(*hole, now | kKind | left);
        hole = nullptr;
      } else if (end != all + capacity()) {
        store(*end++, now | kKind | left);
      } else {
        made = Made::No;
      }
    }
    if (hole != nullptr) store(*hole, load(*--end));
    keep_size();
    return made;
  }

  // The bytes have been accessed; nothing is checked.
  void add(Pool& pool, const Entry& e) {
    if (!merge(entries(), size_, e)) append(pool, e);
  }
  // The same by an epoch and kind that has none here.
  void append(Pool& pool, const Entry& e) {
    if (size_ == capacity()) grow(pool);
    put(entries()[size_], e);
    resize(size_ + 1u);
  }

  template <class F>
  void drop_if(F f) {
    keep([&](Entry e) { return f(e.epoch) ? Mask{0} : e.mask; });
  }

  // The bytes have no past.
  void forget(Mask mask) {
    keep([&](Entry e) { return static_cast<Mask>(e.mask & ~mask); });
  }

  // Empty, and of another granule from now on: whoever looks without the lock sees that it is.
  void begin_anew(Pool& pool) {
    __atomic_store_n(&life_, life_ + 2, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (order_ != 0) pool.deallocate(large_, capacity() * sizeof(Entry));
    __atomic_store_n(&order_, 0, __ATOMIC_RELEASE);
    resize(0);
  }

  // Without the lock that guards the list: has `now`, which is the asking thread's epoch, made such
  // an access to all of these bytes? `still`: is the list still that of the granule in question? No
  // is no answer: ask under the lock.
  template <class Still>
  bool has(Epoch30 now, bool write, Mask mask, Still still) const {
    const std::uint32_t life = __atomic_load_n(&life_, __ATOMIC_ACQUIRE);
    if ((life & 1) != 0) return false;
    const std::uint8_t order = __atomic_load_n(&order_, __ATOMIC_ACQUIRE);
    const auto is_same = [&] {
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      return __atomic_load_n(&order_, __ATOMIC_ACQUIRE) == order && still() &&
             __atomic_load_n(&life_, __ATOMIC_ACQUIRE) == life;
    };
    if ((order & kOnRoll) != 0) return !write && has_mark(life, order, now, mask) && is_same();
    const unsigned capacity = kInside << order;
    const unsigned size = std::min<unsigned>(__atomic_load_n(&size_, __ATOMIC_ACQUIRE), capacity);
    if (capacity > kMostUnlocked) return false;
    const Entry* all = inside_;
    if (order != 0) {  // both of one time: no more is read than there is
      all = __atomic_load_n(&large_, __ATOMIC_ACQUIRE);
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (__atomic_load_n(&life_, __ATOMIC_ACQUIRE) != life ||
          __atomic_load_n(&order_, __ATOMIC_ACQUIRE) != order ||
          __atomic_load_n(&large_, __ATOMIC_ACQUIRE) != all) {
        return false;
      }
    }
    return made_among(all, size, now, write, mask) && is_same();
  }
  // The same under the lock.
  bool has(Epoch30 now, bool write, Mask mask) const {
    return made_among(begin(), size_, now, write, mask);
  }

  // Marks for a list of many reads, if the roll admits the epochs of them all, and they are of
  // halves. Those that the read of `t` at `now` stands for go. The list then holds the roll, as its
  // caller did; false: the list is as it was.
  template <class Thread>
  bool go_on_roll(Pool& pool, Roll& roll, const Thread& t, Epoch30 now);
  // As a list again.
  void list_out(Pool& pool);
  bool is_on_roll() const { return (__atomic_load_n(&order_, __ATOMIC_RELAXED) & kOnRoll) != 0; }
  // A read by `t` of halves, on a list that is on a roll: race(kind, epoch, mask) for what it races
  // with. False: no mark can say so, and nothing has been done.
  template <class Thread, class F>
  bool attend(const Thread& t, Epoch30 now, Mask mask, F race);

  std::uint32_t size() const { return size_; }
  bool are_many() const { return size_ >= kMany; }
  // Without the lock: would advance() do?
  bool are_few() const { return __atomic_load_n(&size_, __ATOMIC_RELAXED) < kMany; }
  const Entry* begin() const { return order_ == 0 ? inside_ : large_; }
  const Entry* end() const { return begin() + size_; }

  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

 private:
  // A write stands for a read.
  __attribute__((always_inline)) static bool made_among(const Entry* all, unsigned size,
                                                        Epoch30 now, bool write, Mask mask) {
    const std::uint64_t asked = ~kMasks & (write ? ~std::uint64_t{0} : ~kWrote);
    const std::uint64_t made = now | (write ? kWrote : 0);
    std::uint64_t left = std::uint64_t{mask} << kMaskAt;
    for (unsigned i = 0; i < size; ++i) {
      const std::uint64_t e = load(all[i]);
      if ((e & asked) == made) left &= ~e;
    }
    return left == 0;
  }

  // Whoever races with an earlier `b` that comes before `a` races with `a` too. A plain write
  // stands for all. An atomic write does not for a plain read: another atomic write races with that
  // alone.
  static constexpr bool stands_for(AccessKind a, AccessKind b) {
    if (a == AccessKind::AtomicWrite) return is_atomic(b);
    return a == b;
  }

  // Data that many threads read: to look for others' reads that this one follows would take the
  // longer the more there are. Only the writes are compared, and its own reads make way.
  static constexpr std::uint32_t kMany = 8;
  template <class Thread, class F>
  static Mask read_among_many(Entry* entries, std::uint32_t& size, const Thread& t, Epoch30 now,
                              Mask mask, F race) {
    Mask left = mask;
    for (std::uint32_t i = 0; i < size; ++i) {
      Entry e = entries[i];
      const auto common = static_cast<Mask>(e.mask & mask);
      if (common == 0) continue;
      if (is_write(e.kind)) {
        if (!t.covers(unpack(e.epoch))) race(e.kind, e.epoch, common);
        if (e.epoch == now && e.kind == AccessKind::Write) left = static_cast<Mask>(left & ~common);
      } else if (e.kind == AccessKind::Read && e.epoch >> kClockBits == now >> kClockBits) {
        e.mask = static_cast<Mask>(e.mask & ~mask);
        put(entries[i], e.mask != 0 ? e : entries[--size]);
        if (e.mask == 0) --i;
      }
    }
    return left;
  }
  // Before the list has to grow: reads go that this thread's, which comes now, stands for.
  template <class Thread>
  void drop_past(std::uint32_t& size, const Thread& t, Mask mask) {
    Entry* const all = entries();
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      Entry e = all[i];
      if (e.kind == AccessKind::Read && t.covers(unpack(e.epoch))) {
        e.mask = static_cast<Mask>(e.mask & ~mask);
      }
      if (e.mask != 0) put(all[kept++], e);
    }
    size = kept;
  }

  // An entry changes as one: others look at it without the lock.
  using Bits = std::uint64_t __attribute__((may_alias));
  static constexpr unsigned kKindAt = 32, kMaskAt = 40;
  static constexpr std::uint64_t kWrote = std::uint64_t{1} << kKindAt;
  static constexpr std::uint64_t kAtomic = std::uint64_t{2} << kKindAt;
  static constexpr std::uint64_t kKinds = std::uint64_t{0xff} << kKindAt;
  static constexpr std::uint64_t kMasks = std::uint64_t{0xff} << kMaskAt;
  static_assert(static_cast<unsigned>(AccessKind::Write) == 1);
  static_assert(static_cast<unsigned>(AccessKind::AtomicRead) == 2);
  static std::uint64_t bits_of(const Entry& e) {
    return e.epoch | static_cast<std::uint64_t>(e.kind) << kKindAt |
           std::uint64_t{e.mask} << kMaskAt;
  }
  static std::uint64_t load(const Entry& e) {
    return __atomic_load_n(reinterpret_cast<const Bits*>(&e), __ATOMIC_RELAXED);
  }
  static void store(Entry& to, std::uint64_t bits) {
    __atomic_store_n(reinterpret_cast<Bits*>(&to), bits, __ATOMIC_RELAXED);
  }
  static void put(Entry& to, const Entry& e) { store(to, bits_of(e)); }
  void resize(std::uint32_t size) {
    __atomic_store_n(&size_, static_cast<std::uint16_t>(size), __ATOMIC_RELEASE);
  }
  unsigned capacity() const { return kInside << order_; }
  Entry* entries() { return order_ == 0 ? inside_ : large_; }

  // Of each entry the bytes that f says.
  template <class F>
  void keep(F f) {
    Entry* const all = entries();
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      Entry e = all[i];
      e.mask = f(e);
      if (e.mask != 0) put(all[kept++], e);
    }
    resize(kept);
  }

  // Whoever looks without the lock meanwhile, even at memory that was given back, sees that it is
  // too late.
  template <class F>
  void change(F f) {
    __atomic_store_n(&life_, life_ + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    f();
    __atomic_store_n(&life_, life_ + 1, __ATOMIC_RELEASE);
  }

  void grow(Pool& pool) {
    const unsigned capacity = this->capacity() * 2;
    auto* larger = static_cast<Entry*>(pool.allocate(capacity * sizeof(Entry)));
    Entry* const all = entries();
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = all[i];
    if (order_ != 0) pool.deallocate(all, this->capacity() * sizeof(Entry));
    __atomic_store_n(&large_, larger, __ATOMIC_RELEASE);
    __atomic_store_n(&order_, static_cast<std::uint8_t>(order_ + 1), __ATOMIC_RELEASE);
  }

  // On a roll, `inside_` has the entry that is no read, the roll, and words of marks if there is
  // room; more words are all in `large_`. order_ says how many. As long as life_ stays, and is
  // even, nothing of that changes but marks, which only come, each at the hands of its own thread.
  static constexpr std::uint8_t kOnRoll = 0x80;
  static constexpr std::uint16_t kManyOnRoll = 0xffff;  // its size: too many for advance()
  using Marks = std::uint64_t;
  static constexpr unsigned kInside = 5;
  static constexpr unsigned kMarksAt = 2, kWordsInside = kInside - kMarksAt;
  static constexpr unsigned kSlotsInWord = 32, kMostWords = kMaxSlots / kSlotsInWord;
  static constexpr unsigned words_of(std::uint8_t order) { return order & ~unsigned{kOnRoll}; }
  static constexpr bool are_inside(std::uint8_t order) { return words_of(order) <= kWordsInside; }
  static unsigned halves_of(unsigned mask) {
    return ((mask & 0x0f) != 0 ? 1u : 0u) | ((mask & 0xf0) != 0 ? 2u : 0u);
  }
  static bool are_halves(unsigned mask) {
    return mask == (((mask & 0x0f) != 0 ? 0x0fu : 0u) | ((mask & 0xf0) != 0 ? 0xf0u : 0u));
  }
  Roll* roll() const { return reinterpret_cast<Roll*>(load(inside_[1])); }
  Bits* marks(std::uint8_t order) {
    return reinterpret_cast<Bits*>(are_inside(order) ? &inside_[kMarksAt] : large_);
  }
  bool has_mark(std::uint32_t life, std::uint8_t order, Epoch30 now, unsigned mask) const;

  // The pool keeps what it gets back, up to this size: who comes late reads what is there now, and
  // then sees that it was too late.
  static constexpr unsigned kMostUnlocked = 1280;
  Entry inside_[kInside] = {};
  Entry* large_ = nullptr;  // of a list that has grown, or once had
  std::uint16_t size_ = 0;
  std::uint8_t order_ = 0;  // there is room for 5, or twice as many as often as this says; kOnRoll

 public:
  SideLock lock;  // of a list that is a side's (shadow/side.h): held while it changes

 private:
  std::uint32_t life_ = 0;  // odd while it comes to or from a roll
};

// Without the lock. `life` was even before all else was loaded. Who takes the list to a roll or
// from it makes life_ odd before it changes anything, with a fence between: so if anything that is
// loaded here is of a later time, the look at life_ after it, with a fence between, finds another
// number.
// - Before `large_` is looked into: it has as many words as `order` says, or had; pools keep them.
// - Before the roll is: it is one, and not an entry of a list. Rolls are never unmapped either. It
//   may be let go and become another right then, but then the list has left it, which has() finds.
// So the mark is one that this thread has made on this roll, and the roll has had one epoch for it
// all the time.
inline bool AccessList::has_mark(std::uint32_t life, std::uint8_t order, Epoch30 now,
                                 unsigned mask) const {
  const unsigned slot = now >> kClockBits, word = slot / kSlotsInWord;
  if (word >= words_of(order)) return false;
  const auto is_same = [&] {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&life_, __ATOMIC_RELAXED) == life;
  };
  const Entry* all = inside_ + kMarksAt;
  if (!are_inside(order)) {
    all = __atomic_load_n(&large_, __ATOMIC_RELAXED);
    if (!is_same()) return false;  // no more is read than there is
  }
  const unsigned halves = halves_of(mask);
  if ((load(all[word]) >> slot % kSlotsInWord * 2 & halves) != halves) return false;
  const Roll* const on = roll();
  return is_same() && on->of(slot) == now;
}

template <class Thread, class F>
bool AccessList::attend(const Thread& t, Epoch30 now, Mask mask, F race) {
  const unsigned slot = now >> kClockBits, word = slot / kSlotsInWord;
  if (!are_halves(mask) || word >= words_of(order_) || !roll()->admits(now)) return false;
  const Entry& other = inside_[0];
  const auto common = static_cast<Mask>(other.mask & mask);
  if (common != 0 && conflict(AccessKind::Read, other.kind) && !t.covers(unpack(other.epoch))) {
    race(other.kind, other.epoch, common);
  }
  Bits& all = marks(order_)[word];
  __atomic_store_n(&all, all | std::uint64_t{halves_of(mask)} << slot % kSlotsInWord * 2,
                   __ATOMIC_RELAXED);
  return true;
}

template <class Thread>
bool AccessList::go_on_roll(Pool& pool, Roll& roll, const Thread& t, Epoch30 now) {
  Marks all[kMostWords] = {};
  Entry other{};
  Mask own = 0;
  unsigned words = (roll.slots() + kSlotsInWord - 1) / kSlotsInWord;
  for (const Entry& e : *this) {
    if (e.epoch == now && e.kind == AccessKind::Read) own = e.mask;
  }
  for (const Entry& e : *this) {
    if (e.kind != AccessKind::Read) {
      if (other.mask != 0) return false;
      other = e;
      continue;
    }
    Mask mask = e.mask;
    if (e.epoch != now && t.covers(unpack(e.epoch))) mask = static_cast<Mask>(mask & ~own);
    if (mask == 0) continue;
    if (!are_halves(mask) || !roll.admits(e.epoch)) return false;
    const unsigned slot = e.epoch >> kClockBits;
    all[slot / kSlotsInWord] |= std::uint64_t{halves_of(mask)} << slot % kSlotsInWord * 2;
    words = std::max(words, slot / kSlotsInWord + 1);
  }
  words = words <= kWordsInside ? kWordsInside : (words + 1) & ~1u;
  const auto order = static_cast<std::uint8_t>(kOnRoll | words);
  Entry* const old = order_ == 0 ? nullptr : large_;
  const unsigned old_capacity = capacity();
  change([&] {
    __atomic_store_n(&size_, kManyOnRoll, __ATOMIC_RELAXED);
    if (!are_inside(order)) {
      auto* const larger = static_cast<Entry*>(pool.allocate(words * sizeof(Marks)));
      __atomic_store_n(&large_, larger, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&order_, order, __ATOMIC_RELAXED);
    put(inside_[0], other);
    store(inside_[1], reinterpret_cast<std::uint64_t>(&roll));
    Bits* const to = marks(order);
    for (unsigned i = 0; i < words; ++i) {
      __atomic_store_n(&to[i], all[i], __ATOMIC_RELAXED);
    }
  });
  if (old != nullptr) pool.deallocate(old, old_capacity * sizeof(Entry));
  return true;
}

inline void AccessList::list_out(Pool& pool) {
  Marks all[kMostWords];
  const std::uint8_t order = order_;
  const unsigned words = words_of(order);
  std::copy(marks(order), marks(order) + words, all);
  const Entry other = inside_[0];
  Roll* const on = roll();
  change([&] {
    if (!are_inside(order)) pool.deallocate(large_, words * sizeof(Marks));
    __atomic_store_n(&size_, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&order_, 0, __ATOMIC_RELAXED);
    if (other.mask != 0) append(pool, other);
    for (unsigned i = 0; i < words; ++i) {
      for (Marks left = all[i]; left != 0;) {
        const auto at = static_cast<unsigned>(__builtin_ctzll(left)) / 2;
        const unsigned halves = left >> at * 2 & 3;
        left &= ~(Marks{3} << at * 2);
        const unsigned mask = ((halves & 1) != 0 ? 0x0fu : 0u) | ((halves & 2) != 0 ? 0xf0u : 0u);
        append(pool, {on->of(i * kSlotsInWord + at), AccessKind::Read, static_cast<Mask>(mask)});
      }
    }
  });
  on->let_go();
}

}  // namespace steward::rt
