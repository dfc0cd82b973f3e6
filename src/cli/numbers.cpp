#include "cli/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace steward::cli {

namespace {

// Three digits that tell something.
std::string short_form(double value, const char* unit) {
  return fmt::format("{:.{}f}{}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit);
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string digits = fmt::to_string(n);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string percent(double share) {
  if (std::isnan(share)) return "-";
  // Nearly all is not all, and next to nothing is not nothing.
  if (share > 0.999 && share < 1) return fmt::format("{:.4f}%", std::min(share * 100, 99.9999));
  if (share > 0 && share < 0.01) return fmt::format("{:.3f}%", share * 100);
  return fmt::format("{:.1f}%", share * 100);
}

std::string bytes_text(std::uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (b < 1e6) return short_form(b / 1e3, " kB");
  if (b < 1e9) return short_form(b / 1e6, " MB");
  return short_form(b / 1e9, " GB");
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return short_form(seconds * 1e3, " ms");
  return short_form(seconds, " s");
}

std::string rate_text(std::uint64_t count, double seconds) {
  if (count == 0 || seconds <= 0) return "-";
  const double rate = static_cast<double>(count) / seconds;
  if (rate < 1e3) return fmt::format("{:.0f}", rate);
  if (rate < 1e6) return short_form(rate / 1e3, "k");
  return short_form(rate / 1e6, "M");
}

double share(std::uint64_t a, std::uint64_t b) {
  if (b == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace steward::cli
