// The single total order S of seq_cst operations (C++20, [atomics.order]/4): the order in which
// they are executed. What is kept of it is what loads ask for.
//
// "A fence X happens before me" is asked by its place in S: the greatest place of such a fence goes
// along with happens-before as one more component of every clock, in a slot that no thread has.
#pragma once

#include "core/clock/vector_clock.h"

namespace steward::jumble {

class ScOrder {
 public:
  static constexpr unsigned kKept = 32;

  // `slot`: of the component; the caller sees to it that no thread writes its time there.
  ScOrder(Pool& pool, Slot slot) : slot_(slot), seen_(pool) {
    for (Snapshot*& s : kept_) s = pool.make<Snapshot>(pool);
    pool_ = &pool;
  }
  ~ScOrder() {
    for (Snapshot* s : kept_) pool_->destroy(s);
  }
  ScOrder(const ScOrder&) = delete;
  ScOrder& operator=(const ScOrder&) = delete;

  Clock next() { return ++time_; }

  // A fence by a thread of this clock, which has acquired already and has not yet released.
  void fence(VectorClock& clock) {
    const Clock place = next();
    seen_.join(clock);
    Snapshot& s = *kept_[fences_++ % kKept];
    s.place = place;
    s.seen.copy(seen_);
    clock.set(slot_, place);
  }

  // The place of the last fence that happens before a thread of this clock; 0: there is none.
  Clock last_fence(const VectorClock& clock) const { return clock[slot_]; }
  // What happens before a fence so far.
  const VectorClock& seen() const { return seen_; }
  // ... before a fence at `place` or earlier. Of old ones a later answer is given: it forbids more.
  const VectorClock& seen_at(Clock place) const {
    const std::uint64_t oldest = fences_ > kKept ? fences_ - kKept : 0;
    for (std::uint64_t i = oldest; i < fences_; ++i) {
      const Snapshot& s = *kept_[i % kKept];
      if (s.place >= place) return s.seen;
    }
    return seen_;
  }

 private:
  struct Snapshot {
    explicit Snapshot(Pool& pool) : seen(pool) {}
    Clock place = 0;
    VectorClock seen;
  };

  Pool* pool_ = nullptr;
  Slot slot_;
  Clock time_ = 0;
  VectorClock seen_;
  std::uint64_t fences_ = 0;
  Snapshot* kept_[kKept];
};

}  // namespace steward::jumble
