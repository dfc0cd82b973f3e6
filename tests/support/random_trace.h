// Feasible random traces: locks are held by one thread, threads are forked before they act and
// joined after, volatiles and readers-writer locks mix in.
#pragma once

#include <algorithm>
#include <vector>

#include "analyze/random.h"
#include "support/events.h"

namespace steward::test {

struct Shape {
  unsigned threads = 4;
  unsigned variables = 4;
  unsigned locks = 2;
  unsigned volatiles = 1;
  unsigned rwlocks = 0;
  bool fork_join = true;     // threads come and go; else all are there from the start
  bool odd_sizes = false;    // overlapping accesses of 1 to 16 bytes
  bool atomics = false;
  bool memory = false;       // free and move
  enum class Sampling { None, Global, Thread } sampling = Sampling::None;
  unsigned sync_percent = 40;
};

class TraceMaker {
 public:
  TraceMaker(const Shape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  Trace make(std::size_t length) {
    threads_.assign(shape_.threads, {});
    locks_.assign(shape_.locks, kFree);
    rwlocks_.assign(shape_.rwlocks, {});
    for (auto& t : threads_) t.id = next_id_++;
    threads_[0].state = State::Live;
    if (!shape_.fork_join) {
      for (auto& t : threads_) t.state = State::Live;
    }
    while (trace_.size() < length) step();
    return numbered(std::move(trace_));
  }

 private:
  enum class State { Unborn, Live };
  static constexpr unsigned kFree = ~0u;
  struct ThreadState {
    State state = State::Unborn;
    bool sampling = false;
    unsigned id = 0;
  };
  struct RwLock {
    unsigned writer = kFree;
    std::vector<unsigned> readers;
  };

  void step() {
    const std::size_t place = random_.below(threads_.size());
    if (threads_[place].state != State::Live) return;
    const unsigned t = threads_[place].id;
    if (shape_.sampling != Shape::Sampling::None && random_.below(8) == 0) {
      return sample(threads_[place]);
    }
    if (shape_.memory && random_.below(20) == 0) return memory(t);
    if (random_.below(100) < shape_.sync_percent) return synchronise(t);
    access_step(t);
  }

  void access_step(unsigned t) {
    const bool write = random_.below(2) == 0;
    const bool atomic = shape_.atomics && random_.below(3) == 0;
    Address a = kBase + 8 * random_.below(shape_.variables);
    std::uint64_t size = 8;
    if (shape_.odd_sizes) {
      a += random_.below(8);
      size = 1 + random_.below(random_.below(4) == 0 ? 16 : 4);
    }
    trace_.push_back(access(write ? EventKind::Write : EventKind::Read, t, a, size, atomic));
  }

  void sample(ThreadState& t) {
    if (shape_.sampling == Shape::Sampling::Global) {
      global_ = !global_;
      trace_.push_back(global_ ? sbegin_all() : send_all());
    } else {
      t.sampling = !t.sampling;
      trace_.push_back(t.sampling ? sbegin(t.id) : send(t.id));
    }
  }

  void memory(unsigned t) {
    const Address a = kBase + 8 * random_.below(shape_.variables) + random_.below(8);
    const std::uint64_t size = 1 + random_.below(12);
    if (random_.below(2) == 0) {
      trace_.push_back(free_of(t, a, size));
    } else {
      trace_.push_back(move_of(t, a, a + 16 + random_.below(16), size));
    }
  }

  void synchronise(unsigned t) {
    switch (random_.below(5)) {
      case 0: return lock(t);
      case 1: return volatile_op(t);
      case 2: return rwlock(t);
      case 3: return shape_.fork_join ? birth_or_death(t) : lock(t);
      default: return lock(t);
    }
  }
  void lock(unsigned t) {
    if (locks_.empty()) return;
    const std::size_t m = random_.below(locks_.size());
    if (locks_[m] == kFree) {
      locks_[m] = t;
      trace_.push_back(acq(t, kLock + m));
    } else if (locks_[m] == t) {
      locks_[m] = kFree;
      trace_.push_back(rel(t, kLock + m));
    }
  }
  void volatile_op(unsigned t) {
    if (shape_.volatiles == 0) return;
    const std::uint64_t x = kVolatile + random_.below(shape_.volatiles);
    switch (random_.below(5)) {
      case 0: trace_.push_back(vs(t, x)); break;
      case 1:
      case 2: trace_.push_back(vw(t, x)); break;
      default: trace_.push_back(vr(t, x));
    }
  }
  void rwlock(unsigned t) {
    if (rwlocks_.empty()) return;
    const std::size_t m = random_.below(rwlocks_.size());
    RwLock& l = rwlocks_[m];
    const auto reader = std::find(l.readers.begin(), l.readers.end(), t);
    if (l.writer == t) {
      l.writer = kFree;
      trace_.push_back(rel(t, kRwLock + m));
    } else if (reader != l.readers.end()) {
      l.readers.erase(reader);
      trace_.push_back(rrel(t, kRwLock + m));
    } else if (l.writer == kFree && l.readers.empty() && random_.below(2) == 0) {
      l.writer = t;
      trace_.push_back(acq(t, kRwLock + m));
    } else if (l.writer == kFree) {
      l.readers.push_back(t);
      trace_.push_back(racq(t, kRwLock + m));
    }
  }
  void birth_or_death(unsigned t) {
    ThreadState& u = threads_[random_.below(threads_.size())];
    if (u.id == t) return;
    if (u.state == State::Unborn) {
      u.state = State::Live;
      trace_.push_back(fork(t, u.id));
    } else if (random_.below(4) == 0 && u.id != 0 && holds_nothing(u.id)) {
      if (random_.below(2) == 0) trace_.push_back(end(u.id));
      trace_.push_back(join(t, u.id));
      u = {State::Unborn, false, next_id_++};  // its place goes to a thread to come
    }
  }
  bool holds_nothing(unsigned t) const {
    for (const unsigned owner : locks_) {
      if (owner == t) return false;
    }
    for (const RwLock& l : rwlocks_) {
      if (l.writer == t || std::find(l.readers.begin(), l.readers.end(), t) != l.readers.end()) {
        return false;
      }
    }
    return true;
  }

  static constexpr Address kBase = 0x1000;
  static constexpr std::uint64_t kLock = 1;
  static constexpr std::uint64_t kVolatile = 100;
  static constexpr std::uint64_t kRwLock = 200;

  Shape shape_;
  analyze::Random random_;
  std::vector<ThreadState> threads_;
  std::vector<unsigned> locks_;
  std::vector<RwLock> rwlocks_;
  bool global_ = false;
  unsigned next_id_ = 0;
  Trace trace_;
};

inline Trace random_trace(const Shape& shape, std::uint64_t seed, std::size_t length) {
  return TraceMaker(shape, seed).make(length);
}

}  // namespace steward::test
