#include "report/frequency.h"

#include <algorithm>
#include <cmath>

namespace steward::report {

namespace {

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated
// from the front by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kEnough = 1e-14;
  constexpr int kTerms = 10'000;
  const auto nonzero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < kTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < kEnough) break;
  }
  return value;
}

// The distribution function of beta(a, b).
double beta_below(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  // The fraction converges fast on the left of the mean; the right is the left of the mirror image.
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double beta_quantile(double share, double a, double b) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (beta_below(middle, a, b) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

struct Sum {
  std::uint64_t runs = 0;
  std::uint64_t seen = 0;
  double rate = 0;  // mean
};

Sum sum_of(const std::vector<Trials>& trials) {
  Sum sum;
  for (const Trials& t : trials) {
    sum.runs += t.runs;
    sum.seen += t.seen;
    sum.rate += static_cast<double>(t.runs) * t.rate;
  }
  sum.rate = sum.runs == 0 ? 1 : sum.rate / static_cast<double>(sum.runs);
  return sum;
}

}  // namespace

Interval binomial_interval(std::uint64_t k, std::uint64_t n, double confidence) {
  const double tail = (1 - confidence) / 2;
  const auto seen = static_cast<double>(k);
  const auto not_seen = static_cast<double>(n - k);
  return {k == 0 ? 0 : beta_quantile(tail, seen, not_seen + 1),
          k == n ? 1 : beta_quantile(1 - tail, seen + 1, not_seen)};
}

Frequency estimate_frequency(const std::vector<Trials>& trials, double confidence) {
  const Sum sum = sum_of(trials);
  if (sum.runs == 0) return {};
  const Interval seen = binomial_interval(sum.seen, sum.runs, confidence);
  const auto share = [&](double of_seen) { return std::min(1.0, of_seen / sum.rate); };
  return {share(static_cast<double>(sum.seen) / static_cast<double>(sum.runs)), share(seen.low),
          share(seen.high), seen.low};
}

double largest_unseen(const std::vector<Trials>& trials, double confidence) {
  const Sum sum = sum_of(trials);
  if (sum.runs == 0) return 1;
  // (1 - p r)^n = 1 - confidence
  const double seen = 1 - std::pow(1 - confidence, 1 / static_cast<double>(sum.runs));
  return std::min(1.0, seen / sum.rate);
}

}  // namespace steward::report
