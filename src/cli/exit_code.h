// What the exit code of every subcommand means. 66 is ThreadSanitizer's, so scripts that know the
// one know the other.
#pragma once

namespace steward::cli {

inline constexpr int kExitOk = 0;      // done; no race
inline constexpr int kExitFailed = 1;  // bad input, a failed write, or a fault of our own
inline constexpr int kExitUsage = 2;
inline constexpr int kExitRaces = 66;

}  // namespace steward::cli
