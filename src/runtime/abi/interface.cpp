// The rest of the interface of ThreadSanitizer's runtime: hooks that a program may define,
// questions about addresses, and what a report looks like from inside. Our reports are written
// outside the process, so there never is a current one.
#include <linux/futex.h>
#include <string.h>

#include "runtime/history/stack_depot.h"
#include "runtime/intercept/real.h"
#include "runtime/mem/heap_block.h"
#include "runtime/record/report.h"

using namespace steward::rt;
using steward::AccessKind;

// For the program to define; ours are what it gets if it does not.
#define STEWARD_DEFAULT extern "C" __attribute__((visibility("default"), weak, used))
STEWARD_DEFAULT const char* __tsan_default_suppressions() {
  return "";
}
STEWARD_DEFAULT void __tsan_on_report(void*) {}
STEWARD_DEFAULT int __tsan_symbolize_external(void*, char*, int, char*, int, int*, int*) {
  return 0;
}
STEWARD_DEFAULT void __tsan_symbolize_external_ex(void*, void*, void*) {}
STEWARD_DEFAULT void __sanitizer_on_print(const char*) {}
STEWARD_DEFAULT void __sanitizer_malloc_hook(const volatile void*, unsigned long) {}
STEWARD_DEFAULT void __sanitizer_free_hook(const volatile void*) {}
STEWARD_DEFAULT void __sanitizer_report_error_summary(const char*) {}
STEWARD_DEFAULT void __sanitizer_sandbox_on_notify(void*) {}

// No report.
STEWARD_HOOK void* __tsan_get_current_report() {
  return nullptr;
}
STEWARD_HOOK int __tsan_get_report_data(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_tag(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_stack(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_mop(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_loc(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_loc_object_type(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_mutex(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_thread(...) {
  return 0;
}
STEWARD_HOOK int __tsan_get_report_unique_tid(...) {
  return 0;
}

// Where an address is.
STEWARD_HOOK const char* __tsan_locate_address(uptr a, char* name, size_t size, uptr* begin,
                                               size_t* bytes) {
  if (size > 0) name[0] = '\0';
  if (!started()) return "";
  HeapBlock block;
  if (find_block(a, block)) {
    *begin = block.begin;
    *bytes = block.size;
    return "heap";
  }
  Resident of;
  if (thread_with_stack(a, of)) {
    *begin = of.is_tls ? of.extent.tls_begin : of.extent.stack_begin;
    *bytes = (of.is_tls ? of.extent.tls_end : of.extent.stack_end) - *begin;
    return of.is_tls ? "tls" : "stack";
  }
  return is_global(a) ? "global" : "";
}
STEWARD_HOOK int __tsan_get_alloc_stack(uptr a, uptr* pcs, size_t size, int* thread, int* os) {
  HeapBlock block;
  if (!started() || !find_block(a, block)) return 0;
  *thread = static_cast<int>(block.thread);
  *os = info_of(block.thread)->os_id;
  const Stack s = kept_stack(block.allocated);
  unsigned n = 0;
  for (; n < s.size && n < size; ++n) pcs[n] = s.pcs[n];
  return static_cast<int>(n);
}

// Objects that are no memory (a library's handles): an access to one is an access to its first
// byte.
namespace {
char external_tags[1024];
unsigned external_count = 1;
}  // namespace
STEWARD_HOOK void* __tsan_external_register_tag(const char*) {
  const unsigned n = __atomic_fetch_add(&external_count, 1, __ATOMIC_RELAXED);
  return &external_tags[n % sizeof external_tags];
}
STEWARD_HOOK void __tsan_external_register_header(void*, const char*) {}
STEWARD_HOOK void __tsan_external_assign_tag(void*, void*) {}
STEWARD_HOOK void __tsan_external_read(void* p, void* pc, void*) {
  access_range(AccessKind::Read, address(p), 1, address(pc));
}
STEWARD_HOOK void __tsan_external_write(void* p, void* pc, void*) {
  access_range(AccessKind::Write, address(p), 1, address(pc));
}

// A barrier that the detector does not see, for tests: the low half counts down a round, the high
// half is the number of threads.
STEWARD_HOOK void __tsan_testonly_barrier_init(std::uint64_t* barrier, unsigned count) {
  __atomic_store_n(barrier, std::uint64_t{count} << 32, __ATOMIC_RELEASE);
}
STEWARD_HOOK void __tsan_testonly_barrier_wait(std::uint64_t* barrier) {
  auto* arrived = reinterpret_cast<std::uint32_t*>(barrier);
  const auto count = static_cast<std::uint32_t>(__atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 32);
  const std::uint32_t mine = __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  const std::uint32_t round = mine / count;
  if ((mine + 1) % count == 0) {
    sys::call(SYS_futex, reinterpret_cast<long>(arrived), FUTEX_WAKE_PRIVATE, 0x7fff'ffff);
    return;
  }
  for (std::uint32_t now; (now = __atomic_load_n(arrived, __ATOMIC_ACQUIRE)) / count == round;) {
    sys::call(SYS_futex, reinterpret_cast<long>(arrived), FUTEX_WAIT_PRIVATE,
              static_cast<long>(now));
  }
}
STEWARD_HOOK unsigned long __tsan_testonly_shadow_stack_current_size() {
  return static_cast<unsigned long>(current->top - current->base);
}

// What all sanitizers have in common.
STEWARD_HOOK void __sanitizer_set_death_callback(void (*)()) {}
STEWARD_HOOK void __sanitizer_set_report_path(const char*) {}
STEWARD_HOOK void __sanitizer_set_report_fd(void*) {}
STEWARD_HOOK const char* __sanitizer_get_report_path() {
  return "";
}
STEWARD_HOOK int __sanitizer_acquire_crash_state() {
  static int taken = 0;
  return __atomic_exchange_n(&taken, 1, __ATOMIC_ACQ_REL) == 0;
}
STEWARD_HOOK void __sanitizer_print_stack_trace() {
  if (!started()) return;
  ThreadState& t = self();
  const RuntimeScope scope(t);
  const Stack s = stack_of(t, STEWARD_CALLER);
  for (unsigned i = 0; i < s.size; ++i) {
    char line[40] = "    #   0x";
    line[5] = static_cast<char>(i < 10 ? '0' + i : '0' + i / 10);
    line[6] = static_cast<char>(i < 10 ? ' ' : '0' + i % 10);
    unsigned at = 10;
    for (int shift = 44; shift >= 0; shift -= 4) {
      line[at++] = "0123456789abcdef"[s.pcs[i] >> shift & 15];
    }
    line[at++] = '\n';
    sys::write_all(2, line, at);
  }
}
STEWARD_HOOK void __sanitizer_symbolize_pc(void*, const char*, char* out, size_t size) {
  if (size > 0) out[0] = '\0';
}
STEWARD_HOOK int __sanitizer_symbolize_global(void*, const char*, char* out, size_t size) {
  if (size > 0) out[0] = '\0';
  return 0;
}
STEWARD_HOOK int __sanitizer_get_module_and_offset_for_pc(void* pc, char* name, size_t size,
                                                          void** offset) {
  Dl_info info;
  if (dladdr(pc, &info) == 0 || info.dli_fname == nullptr || size == 0) return 0;
  size_t n = 0;
  for (; info.dli_fname[n] != '\0' && n + 1 < size; ++n) name[n] = info.dli_fname[n];
  name[n] = '\0';
  *offset = reinterpret_cast<void*>(address(pc) - address(info.dli_fbase));
  return 1;
}
STEWARD_HOOK size_t __sanitizer_get_allocated_size(const void* p) {
  HeapBlock block;
  return p != nullptr && started() && find_block(address(p), block) && block.begin == address(p)
             ? block.size
             : 0;
}
STEWARD_HOOK int __sanitizer_get_ownership(const void* p) {
  HeapBlock block;
  return p != nullptr && started() && find_block(address(p), block) && block.begin == address(p);
}
STEWARD_HOOK size_t __sanitizer_get_estimated_allocated_size(size_t n) {
  return n;
}
STEWARD_HOOK size_t __sanitizer_get_current_allocated_bytes() {
  return 0;
}
STEWARD_HOOK size_t __sanitizer_get_heap_size() {
  return 0;
}
STEWARD_HOOK size_t __sanitizer_get_free_bytes() {
  return 0;
}
STEWARD_HOOK size_t __sanitizer_get_unmapped_bytes() {
  return 0;
}
STEWARD_HOOK int __sanitizer_install_malloc_and_free_hooks(void*, void*) {
  return 0;
}

#define UNALIGNED(bits)                                                                 \
  STEWARD_HOOK std::uint##bits##_t __sanitizer_unaligned_load##bits(const void* p) {    \
    access<bits / 8, false>(address(p), STEWARD_CALLER);                                \
    std::uint##bits##_t v;                                                              \
    __builtin_memcpy(&v, p, sizeof v);                                                  \
    return v;                                                                           \
  }                                                                                     \
  STEWARD_HOOK void __sanitizer_unaligned_store##bits(void* p, std::uint##bits##_t v) { \
    access<bits / 8, true>(address(p), STEWARD_CALLER);                                 \
    __builtin_memcpy(p, &v, sizeof v);                                                  \
  }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)
#undef UNALIGNED
