#include "runtime/platform/linux/restart.h"

#include <sys/resource.h>
#include <unistd.h>

#include "runtime/platform/linux/sys.h"

namespace steward::rt {

void restart_with_limited_stack() {
  rlimit limit{};
  if (sys::failed(sys::call(SYS_getrlimit, RLIMIT_STACK, reinterpret_cast<long>(&limit)))) return;
  if (limit.rlim_cur != RLIM_INFINITY) return;
  limit.rlim_cur = rlim_t{512} << 20;
  if (sys::failed(sys::call(SYS_setrlimit, RLIMIT_STACK, reinterpret_cast<long>(&limit)))) return;
  // The arguments, as the kernel keeps them.
  constexpr std::size_t kBytes = 4 << 20;  // more than one call of the kernel takes
  auto* text = static_cast<char*>(sys::map(kBytes));
  const int fd = sys::open_read("/proc/self/cmdline");
  if (fd < 0) return;
  std::size_t size = 0;
  for (long n; size < kBytes - 1 && (n = sys::read(fd, text + size, kBytes - 1 - size)) > 0;) {
    size += static_cast<std::size_t>(n);
  }
  sys::close(fd);
  auto* words = static_cast<char**>(sys::map((size + 2) * sizeof(char*)));
  std::size_t count = 0;
  for (std::size_t i = 0; i < size;) {
    words[count++] = text + i;
    while (text[i] != '\0') ++i;
    ++i;
  }
  sys::call(SYS_execve, reinterpret_cast<long>("/proc/self/exe"), reinterpret_cast<long>(words),
            reinterpret_cast<long>(environ));
}

}  // namespace steward::rt
