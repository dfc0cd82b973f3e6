#include "cli/progress.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/numbers.h"
#include "cli/terminal.h"

namespace steward::cli {

namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(200);

}  // namespace

std::string progress_text(double fraction, std::uint64_t events, double seconds) {
  std::string text = fmt::format("{} events/s", rate_text(events, seconds));
  if (fraction <= 0) return fmt::format("{}  {}", counted(events, "event"), text);
  const double left = seconds * (1 - fraction) / fraction;
  return fmt::format("{:3.0f}%  {}  {:.0f} s left", fraction * 100, text, left);
}

Progress::Progress()
    : wanted_(is_terminal(STDERR_FILENO)), start_(Clock::now()), next_(start_ + kPatience) {}

void Progress::draw(double fraction, std::uint64_t events) {
  const auto now = Clock::now();
  next_ = now + kInterval;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\x1b[K{}", progress_text(fraction, events, seconds));
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  drawn_ = false;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace steward::cli
