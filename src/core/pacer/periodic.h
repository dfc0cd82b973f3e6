// PACER with periods of a fixed number of events, drawn by Periods. In the global scope all
// threads switch at the boundary; in the thread scope each adopts the period at its own next event.
#pragma once

#include "core/detector/detector.h"
#include "core/pacer/pacer.h"
#include "core/pacer/periods.h"

namespace steward {

class PeriodicPacer {
 public:
  struct Settings {
    double rate = 0.03;
    std::uint64_t period = 1000;  // events
    Pacer::Scope scope = Pacer::Scope::Global;
  };

  PeriodicPacer(Pool& pool, const Settings& settings, Draws& draws)
      : settings_(settings), draws_(&draws), periods_(settings.rate), pacer_(pool, settings.scope) {}

  // Before each analysed event.
  void tick(ThreadId t, bool sync) {
    if (left_ == 0) turn();
    --left_;
    syncs_ += sync ? 1 : 0;
    if (settings_.scope == Pacer::Scope::Thread) pacer_.sample(t, periods_.sampling());
    if (periods_.sampling()) ++(sync ? sampled_.sampled_syncs : sampled_.sampled_accesses);
  }

  template <class Found>
  void access(AccessKind kind, ThreadId t, Address a, std::uint64_t size, SiteId site,
              const Found& found) {
    pacer_.access(kind, t, a, size, site, found);
  }
  void prefetch(Address a) { pacer_.prefetch(a); }
  pacer::Order& order() { return pacer_.order(); }
  void clear(Address a, std::uint64_t size) { pacer_.clear(a, size); }
  void copy(Address from, Address to, std::uint64_t size) { pacer_.copy(from, to, size); }
  void for_each_stat(const std::function<void(const Stat&)>& f) const { pacer_.for_each_stat(f); }
  SampledWork sampled() const { return sampled_; }
  const Pacer& pacer() const { return pacer_; }

 private:
  void turn() {
    const std::uint64_t draw = draws_->draw();
    const bool was = periods_.sampling();
    const bool on = started_ ? periods_.next(syncs_, draw) : periods_.begin(draw);
    started_ = true;
    syncs_ = 0;
    left_ = settings_.period;
    if (settings_.scope == Pacer::Scope::Global && on != was) pacer_.sample_all(on);
  }

  Settings settings_;
  Draws* draws_;
  pacer::Periods periods_;
  Pacer pacer_;
  bool started_ = false;
  std::uint64_t left_ = 0;
  std::uint64_t syncs_ = 0;
  SampledWork sampled_;
};

}  // namespace steward
