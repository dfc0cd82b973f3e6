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
    const bool grows = left != 0 && sampled && size == capacity_;
    if (grows && size >= kMany && kind == AccessKind::Read) drop_past(size, t, mask);
    resize(size);
    if (left != 0 && sampled) append(pool, {now, kind, left});
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
    if (capacity_ != kInside) pool.deallocate(large_, capacity_ * sizeof(Entry));
    __atomic_store_n(&capacity_, kInside, __ATOMIC_RELEASE);
    resize(0);
  }

  // Without the lock that guards the list: has `now`, which is the asking thread's epoch, made such
  // an access to all of these bytes? `still`: is the list still that of the granule in question? No
  // is no answer: ask under the lock.
  template <class Still>
  bool has(Epoch30 now, bool write, Mask mask, Still still) const {
    const std::uint32_t life = __atomic_load_n(&life_, __ATOMIC_ACQUIRE);
    const unsigned capacity = __atomic_load_n(&capacity_, __ATOMIC_ACQUIRE);
    const unsigned size = std::min<unsigned>(__atomic_load_n(&size_, __ATOMIC_ACQUIRE), capacity);
    if (capacity > kMostUnlocked) return false;
    const Entry* all = inside_;
    if (capacity != kInside) {  // both of one time: no more is read than there is
      all = __atomic_load_n(&large_, __ATOMIC_ACQUIRE);
      if (__atomic_load_n(&capacity_, __ATOMIC_ACQUIRE) != capacity ||
          __atomic_load_n(&large_, __ATOMIC_ACQUIRE) != all) {
        return false;
      }
    }
    for (unsigned i = 0; i < size && mask != 0; ++i) {
      const std::uint64_t bits =
          __atomic_load_n(reinterpret_cast<const Bits*>(&all[i]), __ATOMIC_RELAXED);
      if (static_cast<Epoch30>(bits) != now) continue;
      const auto e = std::bit_cast<Entry>(bits);
      if (e.kind == AccessKind::Write || (!write && e.kind == AccessKind::Read)) {
        mask = static_cast<Mask>(mask & ~e.mask);
      }
    }
    if (mask != 0) return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&capacity_, __ATOMIC_ACQUIRE) == capacity && still() &&
           __atomic_load_n(&life_, __ATOMIC_ACQUIRE) == life;
  }

  const Entry* begin() const { return capacity_ == kInside ? inside_ : large_; }
  const Entry* end() const { return begin() + size_; }

  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

 private:
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
  static void put(Entry& to, const Entry& e) {
    std::uint64_t bits = e.epoch;
    bits |= static_cast<std::uint64_t>(e.kind) << 32 | std::uint64_t{e.mask} << 40;
    __atomic_store_n(reinterpret_cast<Bits*>(&to), bits, __ATOMIC_RELAXED);
  }
  void resize(std::uint32_t size) {
    __atomic_store_n(&size_, static_cast<std::uint16_t>(size), __ATOMIC_RELEASE);
  }
  Entry* entries() { return capacity_ == kInside ? inside_ : large_; }

  void append(Pool& pool, const Entry& e) {
    if (size_ == capacity_) grow(pool);
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
    const std::uint32_t capacity = capacity_ * 2u;
    auto* larger = static_cast<Entry*>(pool.allocate(capacity * sizeof(Entry)));
    Entry* const all = entries();
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = all[i];
    if (capacity_ != kInside) pool.deallocate(all, capacity_ * sizeof(Entry));
    __atomic_store_n(&large_, larger, __ATOMIC_RELEASE);
    __atomic_store_n(&capacity_, static_cast<std::uint16_t>(capacity), __ATOMIC_RELEASE);
  }

  static constexpr std::uint16_t kInside = 5;
  // The pool keeps what it gets back, up to this size: who comes late reads what is there now, and
  // then sees that it was too late.
  static constexpr unsigned kMostUnlocked = 1280;
  Entry inside_[kInside] = {};
  Entry* large_ = nullptr;  // of a list that has grown, or once had
  std::uint16_t size_ = 0;
  std::uint16_t capacity_ = kInside;
  std::uint32_t life_ = 0;
};

}  // namespace steward::rt
