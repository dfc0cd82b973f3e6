// Loading and unloading libraries. The addresses of one that is gone may be another's next.
#include <dlfcn.h>
#include <link.h>

#include "runtime/intercept/real.h"

using namespace steward::rt;

REAL(int, dlclose, void*)

namespace {

struct Extent {
  uptr load, begin, end;
  bool found;
};

// The data of the library loaded at `load`, as it is mapped now.
int find(dl_phdr_info* info, std::size_t, void* p) {
  auto& e = *static_cast<Extent*>(p);
  if (info->dlpi_addr != e.load) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD) continue;
    const uptr begin = info->dlpi_addr + h.p_vaddr;
    if (begin < e.begin) e.begin = begin;
    if (begin + h.p_memsz > e.end) e.end = begin + h.p_memsz;
  }
  e.found = true;
  return 1;
}

}  // namespace

STEWARD_HOOK int dlclose(void* handle) {
  ThreadState* t = interceptor_thread();
  Extent before{0, ~uptr{0}, 0, false};
  if (t != nullptr) {
    before.load = static_cast<const link_map*>(handle)->l_addr;
    dl_iterate_phdr(find, &before);
  }
  const int result = real_dlclose()(handle);
  if (!before.found || before.load == 0) return result;
  Extent after{before.load, ~uptr{0}, 0, false};
  dl_iterate_phdr(find, &after);
  if (!after.found) {  // the last one who used it
    const RuntimeScope scope(*t);
    clear_shadow(before.begin & ~uptr{4095},
                 ((before.end + 4095) & ~uptr{4095}) - (before.begin & ~uptr{4095}));
  }
  return result;
}
