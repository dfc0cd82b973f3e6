// The Operational Progressive Java Memory Model (Figure 6): threads and locks by vector clocks, a
// write buffer a variable. For traces and tests; a live runtime has clocks of its own and uses the
// write buffers alone.
#pragma once

#include "core/generic/happens_before.h"
#include "core/jumble/write_buffer.h"

namespace steward::jumble {

class Pjmm {
  auto each_thread() {
    return [this](auto f) {
      order_.for_each_thread([&](const HappensBefore::Thread& t) { f(t.clock); });
    };
  }

 public:
  explicit Pjmm(Pool& pool, unsigned bound = kBound)
      : pool_(&pool), bound_(bound), order_(pool), variables_(pool) {}
  ~Pjmm() {
    variables_.for_each([&](std::uint64_t, WriteBuffer* b) { pool_->destroy(b); });
  }
  Pjmm(const Pjmm&) = delete;
  Pjmm& operator=(const Pjmm&) = delete;

  // [ACQUIRE], [RELEASE], [FORK], [JOIN], and volatiles (section 5.2). A thread that nobody forks
  // is there from the start (the paper's initial state): order().thread(t) must have been called
  // before anything else happens, since [GC1] asks all threads.
  HappensBefore& order() { return order_; }

  void write(ThreadId id, Address x, Value v) {
    const HappensBefore::Thread& t = order_.thread(id);
    buffer(x).write(v, t.clock, t.now, 0, each_thread(), counts_, bound_);
  }
  Choice read(ThreadId id, Address x, Chooser& chooser, unsigned unit = 8) {
    return buffer(x).read(order_.thread(id).clock, 8, unit, chooser, counts_);
  }
  void compress(Address x) { buffer(x).gc1(each_thread(), counts_); }

  // W_x; 0@bottom at first.
  WriteBuffer& buffer(Address x) {
    WriteBuffer*& b = variables_.get(x, nullptr);
    if (b == nullptr) b = pool_->make<WriteBuffer>(*pool_, Value{0});
    return *b;
  }
  const RuleCounts& counts() const { return counts_; }

 private:
  Pool* pool_;
  unsigned bound_;
  HappensBefore order_;
  FlatMap<std::uint64_t, WriteBuffer*> variables_;
  RuleCounts counts_;
};

}  // namespace steward::jumble
