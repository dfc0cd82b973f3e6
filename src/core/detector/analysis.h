// From events to an algorithm's operations, with LARD's five rules (LARD paper, Table 1) applied
// once for all detectors:
//   1 untracked (system) accesses are ignored     4 a moved object's history goes with it
//   2 untracked synchronisation is ignored        5 a thread is the language's, not the machine's
//   3 freed memory has no history
#pragma once

#include <concepts>

#include "core/detector/detector.h"
#include "core/detector/synchronise.h"
#include "core/memory/flat_map.h"

namespace steward {

// Each rule can be switched off, to show what goes wrong without it.
struct LardRules {
  bool tracked_accesses = true;
  bool tracked_sync = true;
  bool clear_history = true;
  bool move_history = true;
  bool thread_identity = true;
};

// Algorithm: access, order() with acquire/release/release_merge/fork/join/end, clear, copy,
// for_each_stat; optionally tick(thread, event), enter/exit(thread, function),
// sample(thread, on) and sample_all(on). Instead of order(): synchronise(event, thread) and end(thread).
// For objects: alloc(thread, address, size), load_reference and store_reference(thread, from, object).
template <class Algorithm>
class Analysis final : public Detector {
 public:
  template <class... Args>
  explicit Analysis(Pool& pool, const LardRules& rules, Args&&... args)
      : pool_(&pool),
        rules_(rules),
        identities_(pool),
        algorithm_(pool, std::forward<Args>(args)...) {}

  void process(std::span<const Event> events, RaceSink& sink) override {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i + kAhead < events.size()) prefetch(events[i + kAhead]);
      step(events[i], sink);
      ++index_;
    }
  }
  void for_each_stat(const std::function<void(const Stat&)>& f) const override {
    algorithm_.for_each_stat(f);
  }
  SampledWork work() const override {
    if constexpr (requires { algorithm_.sampled(); }) {
      SampledWork w = algorithm_.sampled();
      w.accesses = accesses_;
      w.syncs = syncs_;
      return w;
    }
    return {accesses_, accesses_, syncs_, syncs_};
  }
  std::span<const std::uint64_t> locks_of(std::uint32_t set) const override {
    if constexpr (requires { algorithm_.locks_of(set); }) {
      return algorithm_.locks_of(set);
    } else {
      return {};
    }
  }
  std::size_t memory() const override { return pool_->in_use(); }
  std::size_t peak_memory() const override { return pool_->peak(); }

  Algorithm& algorithm() { return algorithm_; }

 private:
  // A variable's state is rarely in the cache, and a batch tells which will be needed.
  static constexpr std::size_t kAhead = 16;

  [[gnu::always_inline]] void step(const Event& e, RaceSink& sink) {
    const ThreadId t = identity(e.thread);
    if (e.is_access()) {
      if (e.system && rules_.tracked_accesses) return;
      ++accesses_;
      tick(t, false);
      const AccessKind kind = access_kind(e);
      algorithm_.access(kind, t, e.address, e.size, e.site,
                        [&](const auto& c, ThreadId earlier, Address at, unsigned bytes) {
                          Race r{{c.kind, earlier, c.stamp.site},
                                 {kind, t, e.site},
                                 at,
                                 bytes,
                                 index_};
                          if constexpr (requires { c.first_held; }) {
                            r.first.held = static_cast<std::uint32_t>(c.first_held);
                            r.second.held = static_cast<std::uint32_t>(c.second_held);
                            r.lockset = static_cast<std::uint32_t>(c.before);
                          }
                          sink.race(r);
                        });
      return;
    }
    if (e.is_sync()) {
      if (e.system && rules_.tracked_sync) return;
      ++syncs_;
      tick(t, true);
      synchronise(e, t);
      return;
    }
    other(e, t);
  }

  // By addition, not by branches that nobody can foretell.
  static AccessKind access_kind(const Event& e) {
    static_assert(static_cast<unsigned>(EventKind::Read) == 0 &&
                  static_cast<unsigned>(EventKind::Write) == 1);
    static_assert(static_cast<unsigned>(AccessKind::Write) == 1 &&
                  static_cast<unsigned>(AccessKind::AtomicRead) == 2);
    return static_cast<AccessKind>(static_cast<unsigned>(e.kind) + (e.atomic ? 2u : 0u));
  }

  [[gnu::noinline]] void synchronise(const Event& e, ThreadId t) {
    if constexpr (requires { algorithm_.synchronise(e, t); }) {
      algorithm_.synchronise(e, t);
    } else {
      steward::synchronise(algorithm_.order(), e, t, any_readers_);
    }
  }

  [[gnu::noinline]] void other(const Event& e, ThreadId t) {
    switch (e.kind) {
      case EventKind::ThreadEnd:
        if constexpr (requires { algorithm_.end(t); }) {
          algorithm_.end(t);
        } else {
          algorithm_.order().end(t);
        }
        break;
      case EventKind::Alloc:
        if constexpr (requires { algorithm_.alloc(t, e.address, e.size); }) {
          algorithm_.alloc(t, e.address, e.size);
        }
        break;
      case EventKind::LoadRef:
        if constexpr (requires { algorithm_.load_reference(t, e.address, e.other); }) {
          algorithm_.load_reference(t, e.address, e.other);
        }
        break;
      case EventKind::StoreRef:
        if constexpr (requires { algorithm_.store_reference(t, e.address, e.other); }) {
          algorithm_.store_reference(t, e.address, e.other);
        }
        break;
      case EventKind::Free:
        if (rules_.clear_history) algorithm_.clear(e.address, e.size);
        break;
      case EventKind::Move:
        if (rules_.move_history) algorithm_.copy(e.address, e.other, e.size);
        break;
      case EventKind::Switch:
        if (rules_.thread_identity) {
          identities_.get(raw(e.thread)) = raw(e.target_thread());
          any_identity_ = true;
        }
        break;
      case EventKind::Enter:
        if constexpr (requires { algorithm_.enter(t, e.function()); }) {
          algorithm_.enter(t, e.function());
        }
        break;
      case EventKind::Exit:
        if constexpr (requires { algorithm_.exit(t); }) algorithm_.exit(t);
        break;
      case EventKind::SampleBegin:
      case EventKind::SampleEnd:
        if constexpr (requires { algorithm_.sample_all(true); }) {
          const bool on = e.kind == EventKind::SampleBegin;
          if (e.thread == kAllThreads) {
            algorithm_.sample_all(on);
          } else {
            algorithm_.sample(t, on);
          }
        }
        break;
      default: break;  // instruction counts mean nothing here
    }
  }

  void prefetch(const Event& e) {
    if constexpr (requires { algorithm_.prefetch(e.address); }) {
      if (e.is_access()) algorithm_.prefetch(e.address);
    }
  }

  void tick(ThreadId t, bool sync) {
    if constexpr (requires { algorithm_.tick(t, sync); }) algorithm_.tick(t, sync);
  }

  ThreadId identity(ThreadId low_level) const {
    return any_identity_ && low_level != kAllThreads ? language_thread(low_level) : low_level;
  }
  [[gnu::noinline]] ThreadId language_thread(ThreadId low_level) const {
    const std::uint32_t* language = identities_.find(raw(low_level));
    return language == nullptr ? low_level : ThreadId{*language};
  }

  Pool* pool_;
  LardRules rules_;
  FlatMap<std::uint32_t, std::uint32_t> identities_;  // low-level thread -> language thread
  bool any_identity_ = false;
  bool any_readers_ = false;
  std::uint64_t index_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t syncs_ = 0;
  Algorithm algorithm_;
};

}  // namespace steward
