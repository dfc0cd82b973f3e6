// PACER's synchronisation (paper, Algorithms 9-11 and 16; Tables 5-7): vector clocks that stand
// still while a thread does not sample, and versions that tell in O(1) that a join or a copy would
// change nothing.
//
// Deviations, argued in docs/detectors/pacer.md:
// - Sampling is a flag of each thread. In a global period all are switched together, as in the
//   paper. With periods of its own, a thread's clock advances when it stops sampling as well as
//   when it starts, so that no timeless epoch equals a sampled one.
// - Table 7's rules 7 and 8 apply whether sampling or not: their effect is that of rule 9, and
//   appendix C asks for them in non-sampling periods, where the table's condition forbids them.
// - The increment of C_u[u] at a join (Table 6, rule 4) is left to the slot's next owner.
#pragma once

#include <array>
#include <vector>

#include "core/clock/slots.h"
#include "core/clock/version.h"
#include "core/detector/detector.h"
#include "core/detector/sync_key.h"
#include "core/memory/flat_map.h"
#include "core/pacer/rules.h"
#include "core/pacer/shared_clock.h"

namespace steward::pacer {

enum class Scope : std::uint8_t { Global, Thread };

class Order {
 public:
  class Thread {
   public:
    Thread(Pool& pool, ThreadId i) : id(i), clock(SharedClock::make(pool)), versions(pool) {}
    Epoch epoch() const { return now; }
    bool covers(Epoch e) const { return clock->covers(e); }
    VersionEpoch version() const { return {now.slot(), versions[now.slot()]}; }

    ThreadId id;
    SharedClock clock;
    VersionVector versions;
    Epoch now;
    bool sampling = false;
    bool live = false;
  };

  explicit Order(Pool& pool, Scope scope = Scope::Global, Clock limit = kMaxClock)
      : pool_(&pool),
        scope_(scope),
        threads_(pool),
        syncs_(pool),
        slots_(pool, limit),
        finals_(PoolAllocator<Final>(pool)) {}
  ~Order() {
    threads_.for_each([&](std::uint32_t, Thread* t) { pool_->destroy(t); });
    syncs_.for_each([&](std::uint64_t, Sync* s) { pool_->destroy(s); });
  }

  Thread& thread(ThreadId id) {
    return id == last_id_ ? *last_ : change_thread(id);
  }

  Scope scope() const { return scope_; }
  ThreadId owner(Epoch e) const { return slots_.owner(e); }
  std::size_t slots() const { return slots_.size(); }
  std::uint64_t count(OrderRule r, bool sampling) const {
    return counts_[static_cast<unsigned>(r)][sampling ? 1 : 0];
  }
  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    for (unsigned r = 0; r < kOrderRules; ++r) {
      f({name(static_cast<OrderRule>(r)), counts_[r][0], counts_[r][1], true});
    }
  }

  // Table 6.
  void acquire(ThreadId id, SyncKey m) {  // rules 1 and 5
    Thread& t = thread(id);
    Sync** s = syncs_.find(m.word);
    if (s == nullptr || !(*s)->clock) {
      tally(t, OrderRule::JoinSameVersionEpoch);  // the minimal version epoch
      return;
    }
    join(t, *(*s)->clock, (*s)->version);
  }
  void release(ThreadId id, SyncKey m) {  // rule 2
    Thread& t = thread(id);
    copy(sync(m), t);
    increment(t);
  }
  void release_merge(ThreadId id, SyncKey x) {  // rule 6
    Thread& t = thread(id);
    join_volatile(sync(x), t);
    increment(t);
  }
  void fork(ThreadId id, ThreadId child) {  // rule 3
    Thread& t = thread(id);
    Thread*& u = threads_.get(raw(child), nullptr);
    if (u == nullptr) u = pool_->make<Thread>(*pool_, child);
    if (!u->live) enter_slot(*u, &*t.clock);
    join(*u, *t.clock, t.version());
    increment(t);
  }
  void join(ThreadId id, ThreadId child) {  // rule 4
    if (id == child) return;
    end(child);
    Thread& t = thread(id);  // first: it may be new, and move the map's entries
    Thread** u = threads_.find(raw(child));
    if (u == nullptr) return;
    join(t, *(*u)->clock, (*u)->version());
    pool_->destroy(*u);
    threads_.erase(raw(child));
    if (last_id_ == child) last_id_ = kAllThreads;
  }
  void end(ThreadId id) {
    Thread** found = threads_.find(raw(id));
    if (found == nullptr || !(*found)->live) return;
    (*found)->live = false;
    leave_slot(**found);
    if (last_id_ == id) last_id_ = kAllThreads;
  }

  // Table 5 for every thread, and for those to come.
  void sample_all(bool on) {
    global_ = on;
    threads_.for_each([&](std::uint32_t, Thread* t) {
      if (t->live) sample(*t, on);
    });
  }
  void sample(ThreadId id, bool on) { sample(thread(id), on); }

 private:
  struct Sync {
    SharedClock clock;     // null: minimal
    VersionEpoch version;  // of whose clock this is a copy
  };
  struct Final {  // what a slot's last owner left behind
    SharedClock clock;
    Version version = 0;
  };

  [[gnu::noinline]] Thread& change_thread(ThreadId id) {
    Thread*& t = threads_.get(raw(id), nullptr);
    if (t == nullptr) t = pool_->make<Thread>(*pool_, id);
    if (!t->live) enter_slot(*t);
    last_id_ = id;
    last_ = t;
    return *t;
  }

  void tally(const Thread& t, OrderRule r) {
    ++counts_[static_cast<unsigned>(r)][t.sampling ? 1 : 0];
  }

  Sync& sync(SyncKey m) {
    Sync*& s = syncs_.get(m.word, nullptr);
    if (s == nullptr) s = pool_->make<Sync>();
    return *s;
  }

  void sample(Thread& t, bool on) {
    if (t.sampling == on) return;
    if (on) {
      t.sampling = true;
      tally(t, OrderRule::SampleBegin);
      increment(t);
    } else {
      tally(t, OrderRule::SampleEnd);
      if (scope_ == Scope::Thread) increment(t);
      t.sampling = false;
    }
  }

  // Algorithm 9; Table 7, rule 1.
  void copy(Sync& o, const Thread& t) {
    if (t.sampling) {
      tally(t, OrderRule::CopyDeep);
      o.clock.deep_copy(*pool_, t.clock);
    } else {
      tally(t, OrderRule::CopyShallow);
      o.clock = t.clock;
    }
    o.version = t.version();
  }

  // Algorithm 10; rules 2 and 3.
  void increment(Thread& t) {
    if (!t.sampling) {
      tally(t, OrderRule::IncrementTimeless);
      return;
    }
    tally(t, OrderRule::Increment);
    if (t.now.clock() == slots_.limit()) {
      tally(t, OrderRule::SlotMigrated);
      const Thread& old = t;
      const Epoch full = old.now;
      const Final left{old.clock, old.versions[full.slot()]};
      enter_slot(t);
      slots_.close(full.slot(), full.clock());
      final_of(full.slot()) = left;
      return;
    }
    t.now = Epoch{t.now.slot(), t.now.clock() + 1};
    t.clock.own().set(t.now.slot(), t.now.clock());
    t.versions.set(t.now.slot(), t.versions[t.now.slot()] + 1);
  }

  // Algorithm 11; rules 4 to 6.
  void join(Thread& t, const VectorClock& clock, VersionEpoch version) {
    if (t.versions.covers(version)) {
      tally(t, OrderRule::JoinSameVersionEpoch);
      return;
    }
    if (t.clock->covers(clock)) {
      tally(t, OrderRule::JoinHappensBefore);
    } else {
      tally(t, OrderRule::JoinConcurrent);
      t.clock.own().join(clock);
      t.versions.set(t.now.slot(), t.versions[t.now.slot()] + 1);
    }
    if (!version.is_top()) t.versions.set(version.slot, version.version);
  }

  // Algorithm 16; rules 7 to 9.
  void join_volatile(Sync& x, const Thread& t) {
    if (!x.clock || t.versions.covers(x.version)) {
      tally(t, OrderRule::VolatileSameVersionEpoch);
      copy(x, t);
    } else if (t.clock->covers(*x.clock)) {
      tally(t, OrderRule::VolatileHappensBefore);
      copy(x, t);
    } else {
      tally(t, OrderRule::VolatileConcurrent);
      x.clock.own().join(*t.clock);
      x.version = VersionEpoch::top();
    }
  }

  // A slot whose last owner's final clock lies below the newcomer's may be used again: every
  // sampled access in it then happens before the newcomer, and versions go on rising with clocks.
  // `seen`: what the newcomer will have joined before it acts.
  void enter_slot(Thread& t, const VectorClock* seen = nullptr) {
    const VectorClock& known = seen != nullptr ? *seen : *t.clock;
    const auto opened = slots_.open(
        t.id, [&](Slot s, Clock) { return known.covers(*final_of(s).clock); });
    Final& before = final_of(opened.slot);
    t.now = Epoch{opened.slot, opened.first};
    if (!t.live) t.sampling = global_;
    t.live = true;
    if (opened.reused) {
      tally(t, OrderRule::SlotReused);
      t.clock.own().join(*before.clock);
    }
    t.clock.own().set(opened.slot, opened.first);
    t.versions.set(opened.slot, before.version + 1);
    before.clock = SharedClock();
  }
  void leave_slot(const Thread& t) {
    slots_.close(t.now.slot(), t.now.clock());
    final_of(t.now.slot()) = Final{t.clock, t.versions[t.now.slot()]};
  }
  Final& final_of(Slot s) {
    if (finals_.size() <= raw(s)) finals_.resize(raw(s) + 1);
    return finals_[raw(s)];
  }

  Pool* pool_;
  Scope scope_;
  bool global_ = false;
  FlatMap<std::uint32_t, Thread*> threads_;
  FlatMap<std::uint64_t, Sync*> syncs_;
  SlotTable slots_;
  std::vector<Final, PoolAllocator<Final>> finals_;
  ThreadId last_id_ = kAllThreads;
  Thread* last_ = nullptr;
  std::array<std::array<std::uint64_t, 2>, kOrderRules> counts_{};
};

}  // namespace steward::pacer
