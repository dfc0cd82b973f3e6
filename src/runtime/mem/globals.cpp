#include <link.h>

#include "runtime/mem/heap_block.h"

namespace steward::rt {

bool is_global(uptr a) {
  struct Query {
    uptr a;
    bool found;
  } query{a, false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* p) {
        auto& q = *static_cast<Query*>(p);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& h = info->dlpi_phdr[i];
          const uptr begin = info->dlpi_addr + h.p_vaddr;
          if (h.p_type == PT_LOAD && q.a >= begin && q.a < begin + h.p_memsz) q.found = true;
        }
        return q.found ? 1 : 0;
      },
      &query);
  return query.found;
}

}  // namespace steward::rt
