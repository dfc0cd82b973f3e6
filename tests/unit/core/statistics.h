// Means, deviations and binomial bounds for tests that count over seeds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace steward::test {

class Sample {
 public:
  void add(double x) {
    ++n_;
    const double d = x - mean_;
    mean_ += d / n_;
    squares_ += d * (x - mean_);
  }
  double mean() const { return mean_; }
  double deviation() const { return n_ < 2 ? 0 : std::sqrt(squares_ / (n_ - 1)); }

 private:
  double n_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// The Wilson score interval of a proportion; z = 3.89 covers 99.99%.
struct Interval {
  double low;
  double high;
  bool holds(double p) const { return low <= p && p <= high; }
};
inline Interval wilson(std::uint64_t hits, std::uint64_t trials, double z = 3.89) {
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // Exact at the ends, where rounding would exclude 0 and 1.
  return {hits == 0 ? 0 : std::max(0.0, middle - half),
          hits == trials ? 1 : std::min(1.0, middle + half)};
}

}  // namespace steward::test
