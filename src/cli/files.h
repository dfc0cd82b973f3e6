// Whole files in one go. What comes back is 0, or errno.
#pragma once

#include <string>
#include <string_view>

namespace steward::cli {

int read_all(const std::string& path, std::string& to);
int write_all(int fd, std::string_view text);

// A descriptor, or -1 and errno. What was there is lost.
int open_for_writing(const std::string& path);

}  // namespace steward::cli
