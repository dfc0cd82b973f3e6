// The last reads of several threads, one each. An array in one block of the pool, not a table: the
// threads are few, and the simulator waits for its memory more than it computes. For the same
// reason the variables of a line, which are mostly read and stored together, share a block until
// they differ.
#pragma once

#include <cstring>

#include "core/clock/epoch.h"
#include "core/memory/pool.h"

namespace steward::sim {

class LastReads {
 public:
  // Of two different threads.
  static LastReads* make(Pool& pool, Epoch a, Epoch b) {
    LastReads* const list = make(pool, kFewest);
    list->add(a);
    list->add(b);
    return list;
  }

  const Epoch* begin() const { return reinterpret_cast<const Epoch*>(this + 1); }
  const Epoch* end() const { return begin() + size_; }

  // One more refers to it, or one less. The first returns what that one has.
  LastReads* share(Pool& pool) {
    if (references_ == kMostReferences) return copy(pool, order_);
    ++references_;
    return this;
  }
  void drop(Pool& pool) {
    if (--references_ == 0) pool.deallocate(this, bytes(order_));
  }

  // Of one thread's reads the latest stays. Returns what the one who put it has from now on.
  LastReads* put(Pool& pool, Epoch e) {
    std::uint32_t i = 0;
    while (i < size_ && begin()[i].slot() != e.slot()) ++i;
    if (i < size_ && begin()[i].clock() >= e.clock()) return this;
    LastReads* own = this;
    const bool full = i == capacity(order_);
    if (full || references_ > 1) {
      own = copy(pool, full ? order_ + 1 : order_);
      drop(pool);
    }
    if (i == own->size_) {
      own->add(e);
    } else {
      own->epochs()[i] = e;
    }
    return own;
  }

 private:
  // With what comes before them three epochs fill 32 bytes, seven a line of the host's cache.
  static constexpr unsigned kFewest = 2;
  static constexpr std::uint32_t kMostReferences = (1u << 24) - 1;

  explicit LastReads(unsigned order) : references_(1), order_(order) {}
  static LastReads* make(Pool& pool, unsigned order) {
    return new (pool.allocate(bytes(order))) LastReads(order);
  }
  static std::size_t bytes(unsigned order) { return sizeof(Epoch) << order; }
  static std::uint32_t capacity(unsigned order) { return (1u << order) - 1; }

  Epoch* epochs() { return reinterpret_cast<Epoch*>(this + 1); }
  void add(Epoch e) { epochs()[size_++] = e; }
  LastReads* copy(Pool& pool, unsigned order) const {
    LastReads* const c = make(pool, order);
    std::memcpy(static_cast<void*>(c->epochs()), begin(), size_ * sizeof(Epoch));
    c->size_ = size_;
    return c;
  }

  std::uint32_t size_ = 0;
  std::uint32_t references_ : 24;
  std::uint32_t order_ : 8;  // room for 2^order epochs, less one for this
};
static_assert(sizeof(LastReads) == sizeof(Epoch));

}  // namespace steward::sim
