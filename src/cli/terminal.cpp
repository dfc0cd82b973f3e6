#include "cli/terminal.h"

#include <cstdlib>
#include <unistd.h>

namespace steward::cli {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool color_fits() {
  return is_terminal(STDOUT_FILENO) && environment("NO_COLOR").empty() &&
         environment("TERM") != "dumb";
}

}  // namespace

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

Style::Style(ColorWish wish)
    : on_(wish == ColorWish::Always || (wish == ColorWish::Auto && color_fits())) {}

std::string Style::wrapped(std::string_view start, std::string_view text) const {
  std::string out;
  if (on_) out += start;
  out += text;
  if (on_) out += "\x1b[0m";
  return out;
}

}  // namespace steward::cli
