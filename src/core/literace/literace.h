// The online LiteRace that the PACER paper compares with (section 5.3): code is sampled by function
// and thread, in bursts, at a rate that falls from 100% to 0.1% as the function grows hot.
// Synchronisation is always analysed; accesses go through FastTrack when the running function is
// sampled, and are ignored otherwise.
//
// Traces without function events: every site is a function of its own, entered at each access.
#pragma once

#include <vector>

#include "core/detector/detector.h"
#include "core/detector/draws.h"
#include "core/fasttrack/fasttrack.h"
#include "core/literace/bursts.h"
#include "core/memory/pool_allocator.h"

namespace steward {

class LiteRace {
 public:
  struct Settings {
    std::uint32_t burst = 10;  // consecutive executions sampled
  };

  LiteRace(Pool& pool, const Settings& settings, Draws& draws, Clock limit = kMaxClock)
      : settings_(settings),
        draws_(&draws),
        pool_(&pool),
        threads_(pool),
        fasttrack_(pool, limit) {}
  ~LiteRace() {
    threads_.for_each([&](std::uint32_t, Thread* t) { pool_->destroy(t); });
  }

  void enter(ThreadId id, FunctionId f) {
    Thread& t = thread(id);
    t.calls.push_back(sample(t, raw(f)));
  }
  void exit(ThreadId id) {
    Thread& t = thread(id);
    if (!t.calls.empty()) t.calls.pop_back();
  }

  template <class Found>
  [[gnu::always_inline]] void access(AccessKind kind, ThreadId id, Address a, std::uint64_t size,
                                     SiteId site, const Found& found) {
    Thread& t = thread(id);
    if (!(t.calls.empty() ? sample(t, kSiteFunction | raw(site)) : t.calls.back())) return;
    ++sampled_.sampled_accesses;
    fasttrack_.access(kind, id, a, size, site, found);
  }

  HappensBefore& order() { return fasttrack_.order(); }
  void clear(Address a, std::uint64_t size) { fasttrack_.clear(a, size); }
  void copy(Address from, Address to, std::uint64_t size) { fasttrack_.copy(from, to, size); }
  SampledWork sampled() const { return sampled_; }

  void for_each_stat(const std::function<void(const Stat&)>& f) const {
    f({"function executions sampled", executions_[1]});
    f({"function executions skipped", executions_[0]});
    fasttrack_.for_each_stat(f);
  }

 private:
  static constexpr std::uint64_t kSiteFunction = std::uint64_t{1} << 32;

  struct Thread {
    explicit Thread(Pool& pool) : calls(PoolAllocator<bool>(pool)), bursts(pool) {}
    std::vector<bool, PoolAllocator<bool>> calls;  // is this call sampled? innermost last
    Bursts bursts;
  };

  Thread& thread(ThreadId id) {
    if (id == last_id_) return *last_;
    Thread*& t = threads_.get(raw(id), nullptr);
    if (t == nullptr) t = pool_->make<Thread>(*pool_);
    last_id_ = id;
    last_ = t;
    return *t;
  }

  bool sample(Thread& t, std::uint64_t function) {
    const bool sampled = t.bursts.sample(function, settings_.burst, [&] { return draws_->draw(); });
    ++executions_[sampled ? 1 : 0];
    return sampled;
  }

  Settings settings_;
  Draws* draws_;
  Pool* pool_;
  FlatMap<std::uint32_t, Thread*> threads_;
  ThreadId last_id_ = kAllThreads;  // one-entry cache, as in HappensBefore
  Thread* last_ = nullptr;
  FastTrack fasttrack_;
  SampledWork sampled_;
  std::uint64_t executions_[2] = {};
};

}  // namespace steward
