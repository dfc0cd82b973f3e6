// What may be written to whom: colour and moving lines are for a person at a terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace steward::cli {

enum class ColorWish { Auto, Always, Never };

bool is_terminal(int fd);

// Auto: on a terminal, unless NO_COLOR is set or TERM is dumb.
bool wants_color(ColorWish wish, int fd);
std::optional<ColorWish> color_named(std::string_view name);

// Escape sequences for standard output, or nothing.
class Style {
 public:
  // Auto: a terminal that is not dumb, and NO_COLOR (no-color.org) not set.
  explicit Style(ColorWish wish);

  std::string race(std::string_view text) const { return wrapped("\x1b[1;31m", text); }
  std::string strong(std::string_view text) const { return wrapped("\x1b[1m", text); }

 private:
  std::string wrapped(std::string_view start, std::string_view text) const;

  bool on_;
};

}  // namespace steward::cli
