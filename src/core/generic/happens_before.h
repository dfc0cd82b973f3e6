// Happens-before by vector clocks: GENERIC's synchronisation (PACER paper, Algorithms 1-4, and
// 14-15 for volatiles), which FastTrack and LiteRace share.
//
// Deviations: threads write their time in slots (clock/slots.h). The increment of C_u[u] at a join
// (Algorithm 4) is left to the slot's next owner, who starts one above it.
#pragma once

#include <array>

#include "core/clock/slots.h"
#include "core/clock/vector_clock.h"
#include "core/detector/detector.h"
#include "core/detector/sync_key.h"
#include "core/memory/flat_map.h"

namespace steward {

enum class SyncRule : std::uint8_t {
  Acquire,
  Release,
  Fork,
  Join,
  VolatileRead,
  VolatileWrite,
  SlotReused,
  SlotMigrated,
};
inline constexpr unsigned kSyncRules = 8;

constexpr const char* name(SyncRule r) {
  constexpr const char* kNames[kSyncRules] = {
      "acquire",       "release",        "fork",        "join",
      "volatile read", "volatile write", "slot reused", "slot migrated"};
  return kNames[static_cast<unsigned>(r)];
}

class HappensBefore {
 public:
  class Thread {
   public:
    explicit Thread(Pool& pool) : clock(pool) {}
    Epoch epoch() const { return now; }
    bool covers(Epoch e) const { return clock.covers(e); }

    VectorClock clock;
    Epoch now;  // clock[slot]@slot, kept at hand for the same-epoch checks
    bool live = true;
  };

  explicit HappensBefore(Pool& pool, Clock limit = kMaxClock)
      : pool_(&pool), threads_(pool), syncs_(pool), slots_(pool, limit) {}
  ~HappensBefore() {
    threads_.for_each([&](std::uint32_t, Thread* t) { pool_->destroy(t); });
    syncs_.for_each([&](std::uint64_t, VectorClock* c) { pool_->destroy(c); });
  }

  // The thread's state; a thread that nobody forked starts here.
  Thread& thread(ThreadId id) {
    return id == last_id_ ? *last_ : change_thread(id);
  }

  // f(thread) for each that has not been joined.
  template <class F>
  void for_each_thread(F f) const {
    threads_.for_each([&](std::uint32_t, const Thread* t) { f(*t); });
  }

  ThreadId owner(Epoch e) const { return slots_.owner(e); }
  std::size_t slots() const { return slots_.size(); }
  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    for (unsigned r = 0; r < kSyncRules; ++r) f({name(static_cast<SyncRule>(r)), counts_[r]});
  }

  void acquire(ThreadId t, SyncKey m) {
    ++counts_[rule(m, SyncRule::Acquire, SyncRule::VolatileRead)];
    if (VectorClock** c = syncs_.find(m.word)) thread(t).clock.join(**c);
  }
  void release(ThreadId t, SyncKey m) {
    ++counts_[rule(m, SyncRule::Release, SyncRule::VolatileWrite)];
    Thread& thread = this->thread(t);
    sync(m).copy(thread.clock);
    increment(thread, t);
  }
  void release_merge(ThreadId t, SyncKey m) {
    ++counts_[rule(m, SyncRule::Release, SyncRule::VolatileWrite)];
    Thread& thread = this->thread(t);
    sync(m).join(thread.clock);
    increment(thread, t);
  }

  void fork(ThreadId t, ThreadId u) {
    ++counts_[static_cast<unsigned>(SyncRule::Fork)];
    Thread& parent = thread(t);
    Thread*& child = threads_.get(raw(u), nullptr);
    if (child == nullptr) {
      child = pool_->make<Thread>(*pool_);
      child->live = false;
    }
    child->clock.join(parent.clock);
    if (!child->live) enter_slot(*child, u);
    increment(parent, t);
  }
  void join(ThreadId t, ThreadId u) {
    ++counts_[static_cast<unsigned>(SyncRule::Join)];
    if (t == u) return;
    end(u);
    Thread& parent = thread(t);  // first: it may be new, and move the map's entries
    Thread** child = threads_.find(raw(u));
    if (child == nullptr) return;
    parent.clock.join((*child)->clock);
    pool_->destroy(*child);
    threads_.erase(raw(u));
    if (last_id_ == u) last_id_ = kAllThreads;
  }
  void end(ThreadId t) {
    Thread** found = threads_.find(raw(t));
    if (found == nullptr || !(*found)->live) return;
    (*found)->live = false;
    slots_.close((*found)->now.slot(), (*found)->now.clock());
    if (last_id_ == t) last_id_ = kAllThreads;
  }

 private:
  [[gnu::noinline]] Thread& change_thread(ThreadId id) {
    Thread*& t = threads_.get(raw(id), nullptr);
    if (t == nullptr) {
      t = pool_->make<Thread>(*pool_);
      enter_slot(*t, id);
    } else if (!t->live) {  // acts after its end: only in traces analysed leniently
      enter_slot(*t, id);
    }
    last_id_ = id;
    last_ = t;
    return *t;
  }

  static unsigned rule(SyncKey m, SyncRule lock, SyncRule vol) {
    return static_cast<unsigned>(m.is_volatile ? vol : lock);
  }

  VectorClock& sync(SyncKey m) {
    VectorClock*& c = syncs_.get(m.word, nullptr);
    if (c == nullptr) c = pool_->make<VectorClock>(*pool_);
    return *c;
  }

  void enter_slot(Thread& t, ThreadId id) {
    const auto opened = slots_.open(
        id, [&](Slot s, Clock last) { return t.clock.covers(Epoch{s, last}); });
    if (opened.reused) ++counts_[static_cast<unsigned>(SyncRule::SlotReused)];
    t.clock.set(opened.slot, opened.first);
    t.now = Epoch{opened.slot, opened.first};
    t.live = true;
  }

  void increment(Thread& t, ThreadId id) {
    if (t.now.clock() == slots_.limit()) {
      ++counts_[static_cast<unsigned>(SyncRule::SlotMigrated)];
      const Epoch full = t.now;
      enter_slot(t, id);
      slots_.close(full.slot(), full.clock());
      return;
    }
    t.now = Epoch{t.now.slot(), t.now.clock() + 1};
    t.clock.set(t.now.slot(), t.now.clock());
  }

  Pool* pool_;
  FlatMap<std::uint32_t, Thread*> threads_;
  FlatMap<std::uint64_t, VectorClock*> syncs_;
  SlotTable slots_;
  ThreadId last_id_ = kAllThreads;  // one-entry cache; events come in runs of a thread
  Thread* last_ = nullptr;
  std::array<std::uint64_t, kSyncRules> counts_{};
};

}  // namespace steward
