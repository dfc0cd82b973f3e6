#include "cli/rate.h"

#include <cstdlib>

namespace steward::cli {

std::optional<double> rate_named(const std::string& text) {
  char* end = nullptr;
  double rate = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  if (*end == '%') {
    rate /= 100;
    ++end;
  }
  if (*end != '\0' || !(rate >= 0 && rate <= 1)) return std::nullopt;
  return rate;
}

}  // namespace steward::cli
