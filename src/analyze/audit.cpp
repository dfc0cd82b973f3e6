#include "analyze/audit.h"

#include <algorithm>

#include "analyze/make_detector.h"

namespace steward::analyze {

std::span<const AuditRules> audited() {
  static const AuditRules kAll[] = {
      {"LARD", "", {}},
      {"AllMem", "your system regions (for accesses)", {.tracked_accesses = false}},
      {"AllSync", "your system regions (for synchronisation)", {.tracked_sync = false}},
      {"NoClear", "your clear-history calls", {.clear_history = false}},
      {"NoCopy", "your copy-history calls", {.move_history = false}},
      {"NoIdentity", "your thread switches", {.thread_identity = false}},
      {"Naive",
       "all of these",
       {.tracked_accesses = false,
        .tracked_sync = false,
        .clear_history = false,
        .move_history = false,
        .thread_identity = false}},
  };
  return kAll;
}

void Reports::add(const Race& r) {
  ++accesses;
  if (r.second.site != kNoSite) sites.insert(r.second.site);
  if (!first) first = r;
}

// A detector and the accesses of one batch at which it found a race, each once and in order.
struct Audit::Running final : RaceSink {
  void race(const Race& r) override {
    if (batch.empty() || batch.back().event != r.event) batch.push_back(r);
  }

  std::unique_ptr<Detector> detector;
  std::vector<Race> batch;
};

Audit::Audit() {
  DetectorSpec spec;
  spec.kind = DetectorKind::FastTrack;
  for (const AuditRules& a : audited()) {
    running_.push_back(std::make_unique<Running>());
    running_.back()->detector = make_detector(spec, a.rules);
    results_.push_back({&a, {}, {}, {}});
  }
}
Audit::~Audit() = default;

void Audit::process(std::span<const Event> events) {
  for (const auto& r : running_) {
    r->batch.clear();
    r->detector->process(events, *r);
  }
  const auto before = [](const Race& a, const Race& b) { return a.event < b.event; };
  const std::vector<Race>& truth = running_[0]->batch;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const std::vector<Race>& said = running_[i]->batch;
    for (const Race& r : said) results_[i].all.add(r);
    std::vector<Race> only;
    std::ranges::set_difference(said, truth, std::back_inserter(only), before);
    for (const Race& r : only) results_[i].in_vain.add(r);
    only.clear();
    std::ranges::set_difference(truth, said, std::back_inserter(only), before);
    for (const Race& r : only) results_[i].missed.add(r);
  }
}

}  // namespace steward::analyze
