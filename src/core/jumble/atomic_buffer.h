// An atomic object's stores, and what a load of it may return under C++20 (model `c++`).
//
// The modification order of the object and the order S of seq_cst operations are the orders in
// which operations are executed, and a load reads a store that has been executed: as the paper's
// PJMM, the model allows a part of what the standard does, and nothing else. What is left to choose
// is which store a load reads: any that is not before its *floor* in modification order. The floor
// is the latest store that
//   coherence   happens before the load, or was read by a load that does
//   4.1         was made or read by a seq_cst operation, if the load is seq_cst
//   4.2         was made or read before (happens-before) a seq_cst fence, if the load is seq_cst
//   4.3         was made or read by a seq_cst operation that comes in S before a fence that happens
//               before the load
//   4.4         was made or read before (happens-before) a fence that comes in S before such a one
// A read-modify-write reads the last store. A compare-exchange that fails is a load, of a value
// that is not the expected one.
//
// A load synchronises with the store it reads, not with the last one: each store keeps the clock
// that its release sequence published.
#pragma once

#include "core/clock/vector_clock.h"
#include "core/jumble/choose.h"
#include "core/jumble/sc_order.h"

namespace steward::jumble {

enum class MemoryOrder : std::uint8_t { Relaxed, Acquire, Release, AcqRel, SeqCst };

constexpr bool acquires(MemoryOrder o) {
  return o == MemoryOrder::Acquire || o == MemoryOrder::AcqRel || o == MemoryOrder::SeqCst;
}
constexpr bool releases(MemoryOrder o) {
  return o == MemoryOrder::Release || o == MemoryOrder::AcqRel || o == MemoryOrder::SeqCst;
}

// What the model needs of a thread. The caller advances the thread's clock after an operation that
// releases.
struct AtomicThread {
  VectorClock& clock;
  VectorClock& acquire_fence;  // what relaxed loads have read, for an acquire fence to come
  VectorClock& release_fence;  // the clock at the last release fence; empty: there was none
  Epoch now;
};

inline void fence(AtomicThread t, MemoryOrder order, ScOrder& sc, RuleCounts& counts) {
  if (acquires(order)) {
    counts.add(Rule::AcquireFence);
    t.clock.join(t.acquire_fence);
  }
  if (order == MemoryOrder::SeqCst) {
    counts.add(Rule::ScFence);
    sc.fence(t.clock);
  }
  if (releases(order)) {
    counts.add(Rule::ReleaseFence);
    t.release_fence.copy(t.clock);
  }
}

class AtomicBuffer {
 public:
  // A thread that has read a store, by the epoch in which it first did.
  struct Reader {
    Epoch first;
    Reader* next;
  };
  struct Entry {
    Value value = 0;
    Epoch stored;           // minimal: the initial value
    Clock sc = 0;           // place in S of the first seq_cst operation that made or read it
    std::uint32_t tag = 0;  // the caller's
    Reader* readers = nullptr;
    VectorClock* released = nullptr;  // null: nothing
  };

  AtomicBuffer(Pool& pool, Value initial, std::uint32_t tag = 0) : pool_(&pool) {
    entries_ = static_cast<Entry*>(pool.allocate(kBound * sizeof(Entry)));
    new (&entries_[0]) Entry{initial, Epoch(), 0, tag, nullptr, nullptr};
    size_ = 1;
  }
  ~AtomicBuffer() {
    while (size_ != 0) remove_oldest();
    pool_->deallocate(entries_, kBound * sizeof(Entry));
  }
  AtomicBuffer(const AtomicBuffer&) = delete;
  AtomicBuffer& operator=(const AtomicBuffer&) = delete;

  unsigned size() const { return size_; }
  const Entry& operator[](unsigned i) const { return entries_[i]; }
  const Entry& latest() const { return entries_[size_ - 1]; }
  std::uint64_t writes() const { return writes_; }
  unsigned peak() const { return peak_; }

  void store(AtomicThread t, Value value, MemoryOrder order, std::uint32_t tag, ScOrder& sc,
             RuleCounts& counts, unsigned bound = kBound) {
    counts.add(Rule::Store);
    append(t, value, order, tag, nullptr, sc, counts, bound);
  }

  Choice load(AtomicThread t, MemoryOrder order, ScOrder& sc, Chooser& chooser,
              RuleCounts& counts) {
    return load_if(t, order, sc, chooser, counts, [](Value) { return true; });
  }

  // The value before; `change` makes the new one of it.
  template <class Change>
  Value modify(AtomicThread t, MemoryOrder order, std::uint32_t tag, ScOrder& sc,
               RuleCounts& counts, Change change, unsigned bound = kBound) {
    counts.add(Rule::Modify);
    const Value old = latest().value;
    synchronise(t, latest(), order, counts);
    const VectorClock* sequence = latest().released;
    append(t, change(old), order, tag, sequence, sc, counts, bound);
    past_.last = old;
    past_.any = true;
    return old;
  }

  // True: `expected` was the last value and is replaced. False: `expected` is what was read.
  // `choice` tells what the load of it chose from.
  bool compare_exchange(AtomicThread t, Value& expected, Value value, MemoryOrder order,
                        MemoryOrder failure, std::uint32_t tag, ScOrder& sc, Chooser& chooser,
                        RuleCounts& counts, Choice& choice, unsigned bound = kBound) {
    // It may fail although the last value is the expected one, by reading an earlier one.
    const Value wanted = expected;
    const bool can_succeed = latest().value == wanted;
    const unsigned low = floor(t, failure == MemoryOrder::SeqCst, sc, counts);
    Candidates c;
    for (unsigned i = low; i < size_; ++i) {
      if (entries_[i].value != wanted) c.add(entries_[i].value, i);
    }
    if (can_succeed) c.add(wanted, size_ - 1);
    const unsigned pick = chooser.choose(c, past_, counts);
    choice = {c.value(pick), c.size(), c.entry(pick) != size_ - 1, c.entry(pick)};
    if (can_succeed && c.entry(pick) == size_ - 1) {
      modify(
          t, order, tag, sc, counts, [&](Value) { return value; }, bound);
      return true;
    }
    counts.add(Rule::FailedExchange);
    note_read(t, c.entry(pick), failure, sc, counts);
    expected = choice.value;
    return false;
  }

  // The first entry that a load may read.
  unsigned floor(const AtomicThread& t, bool seq_cst, const ScOrder& sc, RuleCounts& counts) const {
    const Clock fenced = sc.last_fence(t.clock);
    const VectorClock* before_fenced = fenced != 0 ? &sc.seen_at(fenced) : nullptr;
    for (unsigned i = size_; i-- > 1;) {
      const Entry& e = entries_[i];
      Rule rule;
      if (touched(e, t.clock)) {
        rule = Rule::Coherence;
      } else if (e.sc != 0 && e.sc <= fenced) {
        rule = Rule::ScFenceEarly;
      } else if (before_fenced != nullptr && touched(e, *before_fenced)) {
        rule = Rule::ScFences;
      } else if (seq_cst && e.sc != 0) {
        rule = Rule::ScOperation;
      } else if (seq_cst && touched(e, sc.seen())) {
        rule = Rule::ScFenceLate;
      } else {
        continue;
      }
      counts.add(rule);
      return i;
    }
    return 0;
  }

  // The value was changed by somebody that nobody saw.
  void restart(Value value) {
    while (size_ != 0) remove_oldest();
    new (&entries_[0]) Entry{value, Epoch(), 0, 0, nullptr, nullptr};
    size_ = 1;
  }

 private:
  template <class Allowed>
  Choice load_if(AtomicThread t, MemoryOrder order, ScOrder& sc, Chooser& chooser,
                 RuleCounts& counts, Allowed allowed) {
    counts.add(Rule::Load);
    Candidates c;
    for (unsigned i = floor(t, order == MemoryOrder::SeqCst, sc, counts); i < size_; ++i) {
      if (allowed(entries_[i].value)) c.add(entries_[i].value, i);
    }
    const unsigned pick = chooser.choose(c, past_, counts);
    const unsigned entry = c.entry(pick);
    note_read(t, entry, order, sc, counts);
    const bool stale = c.value(pick) != latest().value;
    if (c.size() > 1) counts.add(Rule::LoadChoice);
    if (stale) counts.add(Rule::LoadStale);
    return {c.value(pick), c.size(), stale, entry};
  }

  // The store was made, or read, in the past that the clock stands for.
  static bool touched(const Entry& e, const VectorClock& clock) {
    if (clock.covers(e.stored)) return true;
    for (const Reader* r = e.readers; r != nullptr; r = r->next) {
      if (clock.covers(r->first)) return true;
    }
    return false;
  }

  void note_read(AtomicThread t, unsigned i, MemoryOrder order, ScOrder& sc, RuleCounts& counts) {
    Entry& e = entries_[i];
    bool known = false;
    for (const Reader* r = e.readers; r != nullptr && !known; r = r->next) {
      known = r->first.slot() == t.now.slot();
    }
    if (!known) e.readers = pool_->make<Reader>(t.now, e.readers);
    if (order == MemoryOrder::SeqCst) {
      const Clock place = sc.next();
      if (e.sc == 0) e.sc = place;
    }
    synchronise(t, e, order, counts);
  }

  static void synchronise(AtomicThread t, const Entry& e, MemoryOrder order, RuleCounts& counts) {
    if (e.released == nullptr) return;
    if (acquires(order)) {
      counts.add(Rule::Acquire);
      t.clock.join(*e.released);
    } else {
      t.acquire_fence.join(*e.released);
    }
  }

  void append(AtomicThread t, Value value, MemoryOrder order, std::uint32_t tag,
              const VectorClock* sequence, ScOrder& sc, RuleCounts& counts, unsigned bound) {
    VectorClock* released = nullptr;
    auto publish = [&](const VectorClock& c) {
      if (released == nullptr) released = pool_->make<VectorClock>(*pool_);
      released->join(c);
    };
    if (releases(order)) {
      publish(t.clock);
    } else if (t.release_fence.size() != 0) {
      publish(t.release_fence);
    }
    if (sequence != nullptr) {
      counts.add(Rule::ReleaseSequence);
      publish(*sequence);
    }
    while (size_ >= bound) {
      counts.add(Rule::RemoveOldest);
      remove_oldest();
    }
    const Clock place = order == MemoryOrder::SeqCst ? sc.next() : 0;
    new (&entries_[size_]) Entry{value, t.now, place, tag, nullptr, released};
    ++size_;
    ++writes_;
    if (size_ > peak_) peak_ = size_;
  }

  void remove_oldest() {
    Entry& e = entries_[0];
    while (Reader* r = e.readers) {
      e.readers = r->next;
      pool_->destroy(r);
    }
    if (e.released != nullptr) pool_->destroy(e.released);
    --size_;
    for (unsigned i = 0; i < size_; ++i) entries_[i] = entries_[i + 1];
  }

  Pool* pool_;
  Entry* entries_;
  unsigned size_;
  unsigned peak_ = 1;
  std::uint64_t writes_ = 1;
  Past past_;
};

}  // namespace steward::jumble
