#include "cli/terminal.h"

#include <cstdlib>
#include <unistd.h>

namespace steward::cli {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

bool wants_color(ColorWish wish, int fd) {
  if (wish != ColorWish::Auto) return wish == ColorWish::Always;
  return is_terminal(fd) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::optional<ColorWish> color_named(std::string_view name) {
  if (name == "auto") return ColorWish::Auto;
  if (name == "always") return ColorWish::Always;
  if (name == "never") return ColorWish::Never;
  return std::nullopt;
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

Style::Style(ColorWish wish) : on_(wants_color(wish, STDOUT_FILENO)) {}

std::string Style::wrapped(std::string_view start, std::string_view text) const {
  std::string out;
  if (on_) out += start;
  out += text;
  if (on_) out += "\x1b[0m";
  return out;
}

}  // namespace steward::cli
