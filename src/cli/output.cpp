#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

#include "cli/exit_code.h"

namespace steward::cli {

namespace {

int first_error = 0;  // errno of the first failed write; guard: the main thread alone prints

void note_error() {
  if (first_error == 0) first_error = errno != 0 ? errno : EIO;
}

}  // namespace

void put(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_error();
}

int finish_output(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) note_error();
  if (first_error == 0) return exit_code;
  // A reader that has seen enough is no news to anyone.
  if (first_error != EPIPE) {
    fmt::print(stderr, "steward: <stdout>: {}\n", std::strerror(first_error));
  }
  return kExitFailed;
}

}  // namespace steward::cli
