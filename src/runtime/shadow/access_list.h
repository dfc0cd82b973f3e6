// FastTrack's state of the eight bytes of a granule when two words cannot hold it: a list of
// accesses, each with the bytes it stands for. Exact to the byte, and small: an access that no
// later check can need is dropped, byte by byte.
//
// The rules are core's (core/fasttrack/access.h), one for each kind. Where that keeps a read map as
// it is once it has two entries, here every access that the new one follows goes: who would race
// with it later races with the new one as well.
#pragma once

#include <algorithm>
#include <bit>

#include "core/memory/pool.h"
#include "event/race.h"
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
    __atomic_store_n(&life_, life_ + 1, __ATOMIC_RELAXED);
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
    const std::uint8_t order = __atomic_load_n(&order_, __ATOMIC_ACQUIRE);
    const unsigned capacity = kInside << order;
    const unsigned size = std::min<unsigned>(__atomic_load_n(&size_, __ATOMIC_ACQUIRE), capacity);
    if (capacity > kMostUnlocked) return false;
    const Entry* all = inside_;
    if (order != 0) {  // both of one time: no more is read than there is
      all = __atomic_load_n(&large_, __ATOMIC_ACQUIRE);
      if (__atomic_load_n(&order_, __ATOMIC_ACQUIRE) != order ||
          __atomic_load_n(&large_, __ATOMIC_ACQUIRE) != all) {
        return false;
      }
    }
    if (!made_among(all, size, now, write, mask)) return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&order_, __ATOMIC_ACQUIRE) == order && still() &&
           __atomic_load_n(&life_, __ATOMIC_ACQUIRE) == life;
  }
  // The same under the lock.
  bool has(Epoch30 now, bool write, Mask mask) const {
    return made_among(begin(), size_, now, write, mask);
  }

  std::uint32_t size() const { return size_; }
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

  void append(Pool& pool, const Entry& e) {
    if (size_ == capacity()) grow(pool);
    put(entries()[size_], e);
    resize(size_ + 1u);
  }

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

  void grow(Pool& pool) {
    const unsigned capacity = this->capacity() * 2;
    auto* larger = static_cast<Entry*>(pool.allocate(capacity * sizeof(Entry)));
    Entry* const all = entries();
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = all[i];
    if (order_ != 0) pool.deallocate(all, this->capacity() * sizeof(Entry));
    __atomic_store_n(&large_, larger, __ATOMIC_RELEASE);
    __atomic_store_n(&order_, static_cast<std::uint8_t>(order_ + 1), __ATOMIC_RELEASE);
  }

  static constexpr unsigned kInside = 5;
  // The pool keeps what it gets back, up to this size: who comes late reads what is there now, and
  // then sees that it was too late.
  static constexpr unsigned kMostUnlocked = 1280;
  Entry inside_[kInside] = {};
  Entry* large_ = nullptr;  // of a list that has grown, or once had
  std::uint16_t size_ = 0;
  std::uint8_t order_ = 0;  // there is room for 5, or twice as many as often as this says

 public:
  SideLock lock;  // of a list that is a side's (shadow/side.h): held while it changes

 private:
  std::uint32_t life_ = 0;
};

}  // namespace steward::rt
