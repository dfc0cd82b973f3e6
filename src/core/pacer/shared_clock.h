// Vector clocks that several synchronisation objects share (PACER paper, 3.2).
//
// Deviation: the paper marks a clock shared for the rest of its life, since a collector frees it.
// Counting references frees it here, and tells when a clock is no longer shared.
#pragma once

#include <utility>

#include "core/clock/vector_clock.h"

namespace steward::pacer {

class SharedClock {
 public:
  SharedClock() = default;
  static SharedClock make(Pool& pool) {
    SharedClock c;
    c.body_ = pool.make<Body>(pool);
    return c;
  }
  SharedClock(const SharedClock& o) : body_(o.body_) {
    if (body_ != nullptr) ++body_->references;
  }
  SharedClock(SharedClock&& o) noexcept : body_(std::exchange(o.body_, nullptr)) {}
  SharedClock& operator=(SharedClock o) noexcept {
    std::swap(body_, o.body_);
    return *this;
  }
  ~SharedClock() {
    if (body_ != nullptr && --body_->references == 0) body_->pool->destroy(body_);
  }

  explicit operator bool() const { return body_ != nullptr; }
  bool is_shared() const { return body_->references > 1; }
  const VectorClock& operator*() const { return body_->clock; }
  const VectorClock* operator->() const { return &body_->clock; }

  // The clock to write to: cloned first if others share it.
  VectorClock& own() {
    if (is_shared()) {
      SharedClock mine = make(*body_->pool);
      mine.body_->clock.copy(body_->clock);
      *this = std::move(mine);
    }
    return body_->clock;
  }

  // Makes this a copy of `o` that nobody shares, in place where possible.
  void deep_copy(Pool& pool, const SharedClock& o) {
    if (body_ == nullptr || is_shared()) *this = make(pool);
    body_->clock.copy(*o);
  }

 private:
  struct Body {
    explicit Body(Pool& p) : pool(&p), clock(p) {}
    Pool* pool;
    VectorClock clock;
    std::uint32_t references = 1;
  };
  Body* body_ = nullptr;
};

}  // namespace steward::pacer
