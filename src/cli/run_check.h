// Before a program is run: can Steward look into it at all?
#pragma once

#include <optional>
#include <string>

namespace steward::cli {

struct Refusal {
  int exit_code = 0;
  std::string line;  // what is wrong, and what to do next
};

struct Checked {
  std::string path;  // the file that will be executed
  bool is_script = false;
  std::optional<Refusal> refusal;
};

inline constexpr int kExitCannotExecute = 126;  // as shells have it
inline constexpr int kExitNotFound = 127;

// Looks `program` up as a shell does. With `force`, a program without instrumentation is fine.
Checked check_program(const std::string& program, bool force);

}  // namespace steward::cli
