#include "cli/shared_libraries.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/elf_file.h"

namespace steward::cli {

namespace {

std::string read_all(int fd) {
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace

std::vector<std::string> libraries_of(const std::string& path) {
  // Without a dynamic linker, what is started would be the program itself.
  if (!report::read_elf(path).is_dynamic) return {};
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    ::unsetenv("LD_PRELOAD");
    ::dup2(fds[1], STDOUT_FILENO);
    ::dup2(fds[1], STDERR_FILENO);
    ::execl(path.c_str(), path.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(fds[1]);
  const std::string listing = child > 0 ? read_all(fds[0]) : std::string();
  ::close(fds[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = listing.find("=> /", at)) != std::string::npos; ++at) {
    const std::size_t start = at + 3;
    const std::size_t end = std::min(listing.find(" (0x", start), listing.find('\n', start));
    out.push_back(listing.substr(start, end - start));
  }
  return out;
}

}  // namespace steward::cli
