// A variable's write buffer: values in trace order, each with the time of its write, and the rules
// of Figure 6 that concern one (models `java` and `torn`).
//
// The paper keeps a vector clock K with each entry. Two questions are asked of it: K_i <= K_j for
// i < j, and K_j <= C_t. A clock covers K_j exactly when it covers the epoch of K_j's thread, so
// the second needs an epoch only. The first is known when entry j is written, since j's clock is
// then the writer's: it is kept as a set, a bit for each earlier entry. So an entry holds no clock,
// and the visible set is a few operations on words.
//
// [GC2] asks for equal clocks; equal epochs are what it needs: whoever covers one of two entries of
// an epoch covers both, and both hide what the first hides.
#pragma once

#include <cstring>

#include "core/clock/vector_clock.h"
#include "core/jumble/choose.h"

namespace steward::jumble {

class WriteBuffer {
 public:
  using Set = std::uint32_t;  // of entries
  static_assert(kBound <= 32);

  struct Entry {
    Value value = 0;
    Epoch written;          // minimal: the initial value
    Set hides = 0;          // the earlier entries i with K_i <= K of this one
    std::uint32_t tag = 0;  // the caller's: where the write was made
  };

  WriteBuffer(Pool& pool, Value initial, std::uint32_t tag = 0) : pool_(&pool) {
    reserve(4);
    entries_[0] = Entry{initial, Epoch(), 0, tag};
    size_ = 1;
  }
  ~WriteBuffer() { pool_->deallocate(entries_, capacity_ * sizeof(Entry)); }
  WriteBuffer(const WriteBuffer&) = delete;
  WriteBuffer& operator=(const WriteBuffer&) = delete;

  unsigned size() const { return size_; }
  const Entry& operator[](unsigned i) const { return entries_[i]; }
  const Entry& latest() const { return entries_[size_ - 1]; }
  // Writes ever, the initial value among them: what the buffer would hold without [GC1], [GC2] and
  // [REMOVE OLDEST]; and the most it has held.
  std::uint64_t writes() const { return writes_; }
  unsigned peak() const { return peak_; }

  // [WRITE], by the thread of clock C_t at `now`. each_thread(f) calls f(C_u) for every thread.
  template <class EachThread>
  void write(Value value, const VectorClock& clock, Epoch now, std::uint32_t tag,
             EachThread each_thread, RuleCounts& counts, unsigned bound = kBound) {
    counts.add(Rule::Write);
    gc2(value, now, counts);
    // Before the buffer grows: often enough to stay small, seldom enough to cost little.
    // What was in vain is not tried again at once.
    if (pause_ != 0) {
      --pause_;
    } else if (size_ == capacity_ || size_ == bound) {
      const unsigned before = size_;
      gc1(each_thread, counts);
      if (size_ == before) pause_ = kPause;
    }
    while (size_ >= bound) {
      counts.add(Rule::RemoveOldest);
      remove(0);
    }
    if (size_ == capacity_) reserve(capacity_ * 2);
    entries_[size_] = Entry{value, now, covered(clock), tag};
    ++size_;
    ++writes_;
    if (size_ > peak_) peak_ = size_;
  }

  // [READ]: the entries whose value a thread of this clock may see. Never empty: the latest is one.
  Set visible(const VectorClock& clock) const { return all() & ~hidden(clock); }

  // One value of the visible set. `size` bytes are read in parts of `unit` bytes, each of which
  // comes from a write of its own: the model is `torn` if there are several.
  Choice read(const VectorClock& clock, unsigned size, unsigned unit, Chooser& chooser,
              RuleCounts& counts) {
    const Set set = visible(clock);
    Choice result;
    result.entry = size_ - 1;
    const unsigned parts = size > unit ? size / unit : 1;
    const unsigned bits = 8 * (size / parts);
    const Value mask = bits == 64 ? ~Value{0} : (Value{1} << bits) - 1;
    unsigned first_entry = 0;
    bool torn = false;
    for (unsigned p = 0; p < parts; ++p) {
      Candidates c;
      for (unsigned i = 0; i < size_; ++i) {
        if ((set >> i & 1) != 0) c.add(entries_[i].value >> p * bits & mask, i);
      }
      Past& past = past_[parts > 1 ? p & 1 : 0];
      const unsigned pick = chooser.choose(c, past, counts);
      result.value |= c.value(pick) << p * bits;
      if (c.size() > result.candidates) result.candidates = c.size();
      if (c.entry(pick) < result.entry) result.entry = c.entry(pick);
      if (p == 0) first_entry = c.entry(pick);
      torn = torn || c.entry(pick) != first_entry;
    }
    const Value whole = size == 8 ? ~Value{0} : (Value{1} << 8 * size) - 1;
    result.stale = result.value != (latest().value & whole);
    counts.add(result.candidates > 1 ? Rule::ReadChoice : Rule::ReadOne);
    if (result.stale) counts.add(Rule::ReadStale);
    if (torn) counts.add(Rule::ReadTorn);
    return result;
  }

  // [GC1]: entries that no thread can see go. What they hide stays hidden: an entry that hides them
  // hides it too.
  template <class EachThread>
  void gc1(EachThread each_thread, RuleCounts& counts) {
    Set invisible = all();
    each_thread([&](const VectorClock& clock) { invisible &= hidden(clock); });
    for (unsigned i = size_; i-- > 0;) {
      if ((invisible >> i & 1) == 0 || size_ == 1) continue;
      counts.add(Rule::Gc1);
      remove(i);
    }
  }

  // The latest write turned out to be of this value: it was announced before it was made.
  void resolve(Value value) { entries_[size_ - 1].value = value; }

  // The value was changed by somebody that nobody saw: what came before is not known to be legal.
  void restart(Value value) {
    entries_[0] = Entry{value, Epoch(), 0, 0};
    size_ = 1;
  }

 private:
  Set all() const { return size_ == 32 ? ~Set{0} : (Set{1} << size_) - 1; }

  Set covered(const VectorClock& clock) const {
    Set s = 0;
    for (unsigned i = 0; i < size_; ++i) s |= Set{clock.covers(entries_[i].written)} << i;
    return s;
  }
  Set hidden(const VectorClock& clock) const {
    Set s = 0;
    for (unsigned j = 0; j < size_; ++j) {
      if (clock.covers(entries_[j].written)) s |= entries_[j].hides;
    }
    return s;
  }

  // [GC2]: the same value in the same epoch, which is the same thread's.
  void gc2(Value value, Epoch now, RuleCounts& counts) {
    for (unsigned i = size_; i-- > 0;) {
      if (entries_[i].written != now || entries_[i].value != value) continue;
      counts.add(Rule::Gc2);
      remove(i);
    }
  }

  void remove(unsigned i) {
    const Set below = (Set{1} << i) - 1;
    --size_;
    for (unsigned j = i; j < size_; ++j) {
      entries_[j] = entries_[j + 1];
      const Set h = entries_[j].hides;
      entries_[j].hides = (h & below) | (h >> 1 & ~below);
    }
  }

  void reserve(unsigned n) {
    auto* bigger = static_cast<Entry*>(pool_->allocate(n * sizeof(Entry)));
    for (unsigned i = 0; i < size_; ++i) new (&bigger[i]) Entry(entries_[i]);
    for (unsigned i = size_; i < n; ++i) new (&bigger[i]) Entry();
    if (entries_ != nullptr) pool_->deallocate(entries_, capacity_ * sizeof(Entry));
    entries_ = bigger;
    capacity_ = n;
  }

  static constexpr unsigned kPause = 16;

  Pool* pool_;
  Entry* entries_ = nullptr;
  unsigned size_ = 0;
  unsigned capacity_ = 0;
  unsigned peak_ = 1;
  unsigned pause_ = 0;
  std::uint64_t writes_ = 1;
  Past past_[2];  // of the variable; of a torn one, its parts' (more than two share)
};

}  // namespace steward::jumble
