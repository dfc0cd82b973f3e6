#include "analyze/make_detector.h"

#include "analyze/heap_pages.h"
#include "analyze/random.h"
#include "core/fasttrack/fasttrack.h"
#include "core/generic/generic.h"
#include "core/literace/literace.h"
#include "core/lockset/lockset.h"
#include "core/pacer/periodic.h"

namespace steward::analyze {
namespace {

// Everything one detector needs, destroyed in the right order.
template <class Algorithm>
class Owned final : public Detector {
 public:
  template <class... Args>
  Owned(const LardRules& rules, std::uint64_t seed, Args&&... args)
      : random_(seed), pool_(pages_), analysis_(make(rules, std::forward<Args>(args)...)) {}

  void process(std::span<const Event> events, RaceSink& sink) override {
    analysis_.process(events, sink);
  }
  void for_each_stat(const std::function<void(const Stat&)>& f) const override {
    analysis_.for_each_stat(f);
  }
  SampledWork work() const override { return analysis_.work(); }
  std::span<const std::uint64_t> locks_of(std::uint32_t set) const override {
    return analysis_.locks_of(set);
  }
  std::size_t memory() const override { return analysis_.memory(); }
  std::size_t peak_memory() const override { return analysis_.peak_memory(); }

 private:
  template <class... Args>
  Analysis<Algorithm> make(const LardRules& rules, Args&&... args) {
    if constexpr (std::constructible_from<Algorithm, Pool&, Args..., Draws&>) {
      return Analysis<Algorithm>(pool_, rules, std::forward<Args>(args)..., random_);
    } else {
      return Analysis<Algorithm>(pool_, rules, std::forward<Args>(args)...);
    }
  }

  HeapPages pages_;
  Random random_;
  Pool pool_;
  Analysis<Algorithm> analysis_;
};

}  // namespace

std::unique_ptr<Detector> make_detector(const DetectorSpec& spec, const LardRules& rules) {
  const auto scope = spec.per_thread ? Pacer::Scope::Thread : Pacer::Scope::Global;
  switch (spec.kind) {
    case DetectorKind::Generic: return std::make_unique<Owned<Generic>>(rules, spec.seed);
    case DetectorKind::FastTrack: return std::make_unique<Owned<FastTrack>>(rules, spec.seed);
    case DetectorKind::LiteRace:
      return std::make_unique<Owned<LiteRace>>(rules, spec.seed, LiteRace::Settings{spec.burst});
    case DetectorKind::Lockset:
      return std::make_unique<Owned<Lockset>>(
          rules, spec.seed,
          Lockset::Settings{spec.write_barrier ? Lockset::Barrier::Write : Lockset::Barrier::Read,
                            spec.block, spec.excluded});
    case DetectorKind::Pacer: break;
  }
  if (spec.rate_from_trace) return std::make_unique<Owned<Pacer>>(rules, spec.seed, scope);
  return std::make_unique<Owned<PeriodicPacer>>(
      rules, spec.seed, PeriodicPacer::Settings{spec.rate, spec.period, scope});
}

}  // namespace steward::analyze
