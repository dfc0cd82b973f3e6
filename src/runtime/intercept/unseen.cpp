#include "runtime/intercept/unseen.h"

#include <cstring>
#include <link.h>

#include "runtime/mem/lock.h"
#include "runtime/options.h"

namespace steward::rt {

namespace {

SpinLock lock;

// Begins a file's name as one of those in the list?
bool is_listed(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  for (const char* one = options().unseen; *one != '\0';) {
    const std::size_t length = std::strcspn(one, "|");
    if (length != 0 && std::strncmp(name, one, length) == 0) return true;
    one += length + (one[length] == '|' ? 1 : 0);
  }
  return false;
}

int add_if_listed(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_name == nullptr || !is_listed(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0) continue;
    const uptr begin = info->dlpi_addr + h.p_vaddr;
    if (is_unseen(begin) || unseen_count == kMostUnseen) continue;
    unseen_code[unseen_count] = {begin, begin + h.p_memsz};
    __atomic_store_n(&unseen_count, unseen_count + 1, __ATOMIC_RELEASE);
  }
  return 0;
}

}  // namespace

void look_for_unseen() {
  if (options().unseen[0] == '\0') return;
  const Locked guard(lock);
  dl_iterate_phdr(add_if_listed, nullptr);
}

void lock_unseen_for_fork() {
  lock.lock();
}
void unlock_unseen_after_fork() {
  lock.unlock();
}

}  // namespace steward::rt
