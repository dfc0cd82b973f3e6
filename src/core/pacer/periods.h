// When to sample (PACER paper, section 4): each period is sampled by chance, and the chance is
// corrected so that the share of work that is sampled, not the share of periods, is the rate asked
// for. Work is counted in synchronisation operations, which sampling does not change.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/detector/draws.h"

namespace steward::pacer {

class Periods {
 public:
  explicit Periods(double rate) : rate_(rate) {}

  bool sampling() const { return sampling_; }
  double rate() const { return rate_; }
  // What was learnt at another rate tells nothing of this one.
  void set_rate(double rate) {
    const bool was = sampling_;
    *this = Periods(rate);
    sampling_ = was;
  }

  // Ends the period, in which `work` was done, and chooses whether to sample the next.
  bool next(std::uint64_t work, std::uint64_t draw) {
    const auto w = static_cast<double>(work);
    (sampling_ ? sampled_ : unsampled_) += {w, w * w, 1};
    return begin(draw);
  }
  bool begin(std::uint64_t draw) { return sampling_ = unit(draw) < probability(); }

  // p with p s / (p s + (1 - p) n) = rate, for mean works s and n of a sampled and an unsampled
  // period. s rests on few periods at low rates; so it starts as n. How many sampled periods it
  // takes to believe otherwise depends on how much work varies from period to period anyhow: its
  // squared coefficient of variation, and kPrior where it does not vary.
  double probability() const {
    if (rate_ <= 0 || rate_ >= 1 || unsampled_.work <= 0) return rate_;
    const double n = unsampled_.work / unsampled_.periods;
    const double spread = std::max(0.0, unsampled_.squares / unsampled_.periods / (n * n) - 1);
    const double prior = kPrior + spread;
    const double s = (sampled_.work + prior * n) / (sampled_.periods + prior);
    return rate_ * n / (rate_ * n + (1 - rate_) * s);
  }

 private:
  static constexpr double kPrior = 0.25;
  struct Sum {
    double work = 0;
    double squares = 0;
    double periods = 0;
    void operator+=(const Sum& o) {
      work += o.work;
      squares += o.squares;
      periods += o.periods;
    }
  };

  double rate_;
  bool sampling_ = false;
  Sum sampled_;
  Sum unsampled_;
};

}  // namespace steward::pacer
