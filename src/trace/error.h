// Broken input and failed output are values. One line each, ready to print: where, what was
// expected, what was found.
#pragma once

#include <string>

namespace steward::trace {

struct Error {
  std::string message;

  bool operator==(const Error&) const = default;
};

}  // namespace steward::trace
