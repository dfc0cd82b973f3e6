// FastTrack's state of the eight bytes of a granule when two words cannot hold it: a list of
// accesses, each with the bytes it stands for. Exact to the byte, and small: an access that no
// later check can need is dropped, byte by byte.
//
// The rules are core's (core/fasttrack/access.h), one for each kind. Where that keeps a read map as
// it is once it has two entries, here every access that the new one follows goes: who would race
// with it later races with the new one as well.
#pragma once

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
  struct Entry {
    Epoch30 epoch;
    AccessKind kind;
    Mask mask;
  };
  static_assert(sizeof(Entry) == 8);

  // One step of an access of `t` (bool covers(Epoch)) at `now` to some bytes: race(kind, epoch,
  // mask) for each earlier access that it races with; what it stands for goes. Returns the bytes to
  // remember it by.
  template <class Thread, class F>
  static Mask step(Entry* entries, std::uint32_t& size, const Thread& t, Epoch30 now,
                   AccessKind kind, Mask mask, F race) {
    std::uint32_t kept = 0;
    Mask left = mask;  // less what this epoch has written: that stands for a read of its own
    for (std::uint32_t i = 0; i < size; ++i) {
      Entry e = entries[i];
      const auto common = static_cast<Mask>(e.mask & mask);
      if (common != 0) {
        const bool before = t.covers(unpack(e.epoch));
        if (!before && conflict(kind, e.kind)) race(e.kind, e.epoch, common);
        if (e.epoch == now && is_write(e.kind) && !is_write(kind) &&
            is_atomic(e.kind) == is_atomic(kind)) {
          left = static_cast<Mask>(left & ~common);
        }
        if (kind == AccessKind::Write || (before && stands_for(kind, e.kind))) {
          e.mask = static_cast<Mask>(e.mask & ~mask);
        }
      }
      if (e.mask != 0) entries[kept++] = e;
    }
    size = kept;
    return left;
  }
  // Adds the bytes to the entry of the same epoch and kind; false: there is none.
  static bool merge(Entry* entries, std::uint32_t size, const Entry& e) {
    for (std::uint32_t i = 0; i < size; ++i) {
      if (entries[i].epoch == e.epoch && entries[i].kind == e.kind) {
        entries[i].mask |= e.mask;
        return true;
      }
    }
    return false;
  }

  // The same on this list. An access that is not sampled (PACER) is not remembered.
  template <class Thread, class F>
  void access(Pool& pool, const Thread& t, Epoch30 now, AccessKind kind, Mask mask, bool sampled,
              F race) {
    const Mask left = step(entries_, size_, t, now, kind, mask, race);
    if (left != 0 && sampled) add(pool, {now, kind, left});
  }

  // The bytes have been accessed; nothing is checked.
  void add(Pool& pool, const Entry& e) {
    if (merge(entries_, size_, e)) return;
    if (size_ == capacity_) grow(pool);
    entries_[size_++] = e;
  }

  template <class F>
  void drop_if(F f) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (!f(entries_[i].epoch)) entries_[kept++] = entries_[i];
    }
    size_ = kept;
  }

  // The bytes have no past.
  void forget(Mask mask) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      entries_[i].mask = static_cast<Mask>(entries_[i].mask & ~mask);
      if (entries_[i].mask != 0) entries_[kept++] = entries_[i];
    }
    size_ = kept;
  }

  void release(Pool& pool) {
    if (entries_ != nullptr) pool.deallocate(entries_, capacity_ * sizeof(Entry));
    entries_ = nullptr;
    size_ = capacity_ = 0;
  }

  const Entry* begin() const { return entries_; }
  const Entry* end() const { return entries_ + size_; }

 private:
  // Whoever races with an earlier `b` that comes before `a` races with `a` too. A plain write
  // stands for all. An atomic write does not for a plain read: another atomic write races with that
  // alone.
  static constexpr bool stands_for(AccessKind a, AccessKind b) {
    if (a == AccessKind::AtomicWrite) return is_atomic(b);
    return a == b;
  }

  void grow(Pool& pool) {
    const std::uint32_t capacity = capacity_ == 0 ? 4 : capacity_ * 2;
    auto* entries = static_cast<Entry*>(pool.allocate(capacity * sizeof(Entry)));
    for (std::uint32_t i = 0; i < size_; ++i) entries[i] = entries_[i];
    if (entries_ != nullptr) pool.deallocate(entries_, capacity_ * sizeof(Entry));
    entries_ = entries;
    capacity_ = capacity;
  }

  Entry* entries_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace steward::rt
