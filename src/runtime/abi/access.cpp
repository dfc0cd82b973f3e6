// Loads and stores as the compilers announce them.
#include "runtime/abi/hook.h"
#include "runtime/intercept/range.h"
#include "runtime/lockset/discipline.h"

namespace steward::rt {

void first_access(AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (!started()) return;
  if constexpr (kLockset) discipline::check(self(), kind, a, size, pc);
  check_access(self(), kind, a, size, pc);
}

void access_range(AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (started()) touch(self(), kind, a, size, pc);
}

}  // namespace steward::rt

using namespace steward::rt;

#define ACCESS(size)                                                                              \
  STEWARD_HOOK void __tsan_read##size(void* p) { access<size, false>(address(p), STEWARD_CALLER); } \
  STEWARD_HOOK void __tsan_write##size(void* p) { access<size, true>(address(p), STEWARD_CALLER); } \
  STEWARD_HOOK void __tsan_read##size##_pc(void* p, void* pc) {                                   \
    access<size, false>(address(p), address(pc));                                                 \
  }                                                                                               \
  STEWARD_HOOK void __tsan_write##size##_pc(void* p, void* pc) {                                  \
    access<size, true>(address(p), address(pc));                                                  \
  }                                                                                               \
  STEWARD_HOOK void __tsan_volatile_read##size(void* p) {                                         \
    access<size, false>(address(p), STEWARD_CALLER);                                              \
  }                                                                                               \
  STEWARD_HOOK void __tsan_volatile_write##size(void* p) {                                        \
    access<size, true>(address(p), STEWARD_CALLER);                                               \
  }                                                                                               \
  STEWARD_HOOK void __tsan_read_write##size(void* p) {                                            \
    access<size, true>(address(p), STEWARD_CALLER);                                               \
  }
#define UNALIGNED(size)                                                                           \
  STEWARD_HOOK void __tsan_unaligned_read##size(const void* p) {                                  \
    access<size, false>(address(p), STEWARD_CALLER);                                              \
  }                                                                                               \
  STEWARD_HOOK void __tsan_unaligned_write##size(void* p) {                                       \
    access<size, true>(address(p), STEWARD_CALLER);                                               \
  }                                                                                               \
  STEWARD_HOOK void __tsan_unaligned_volatile_read##size(const void* p) {                         \
    access<size, false>(address(p), STEWARD_CALLER);                                              \
  }                                                                                               \
  STEWARD_HOOK void __tsan_unaligned_volatile_write##size(void* p) {                              \
    access<size, true>(address(p), STEWARD_CALLER);                                               \
  }                                                                                               \
  STEWARD_HOOK void __tsan_unaligned_read_write##size(void* p) {                                  \
    access<size, true>(address(p), STEWARD_CALLER);                                               \
  }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)
#undef ACCESS
#undef UNALIGNED

STEWARD_HOOK void __tsan_read_range(void* p, unsigned long size) {
  access_range(steward::AccessKind::Read, address(p), size, STEWARD_CALLER);
}
STEWARD_HOOK void __tsan_write_range(void* p, unsigned long size) {
  access_range(steward::AccessKind::Write, address(p), size, STEWARD_CALLER);
}
STEWARD_HOOK void __tsan_read_range_pc(void* p, unsigned long size, void* pc) {
  access_range(steward::AccessKind::Read, address(p), size, address(pc));
}
STEWARD_HOOK void __tsan_write_range_pc(void* p, unsigned long size, void* pc) {
  access_range(steward::AccessKind::Write, address(p), size, address(pc));
}

// A constructor stores the vptr it finds there already when a base is constructed again in place:
// then nothing changes, and nobody can tell.
STEWARD_HOOK void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr == value) {
    access<8, false>(address(vptr), STEWARD_CALLER);
  } else {
    access<8, true>(address(vptr), STEWARD_CALLER);
  }
}
STEWARD_HOOK void __tsan_vptr_read(void** vptr) { access<8, false>(address(vptr), STEWARD_CALLER); }

// The shadow stack. Frames that an exception or a longjmp left behind lie below the stack pointer of
// the next call or return: they go then.
STEWARD_HOOK void __tsan_func_entry(void* pc) {
  ThreadState* t = current;
#if STEWARD_BURSTS
  const bool sampled = begin_execution(*t, STEWARD_CALLER);
#endif
  const auto sp = reinterpret_cast<uptr>(__builtin_frame_address(0));
  Frame* top = t->top;
  if (__builtin_expect(top != t->base && top[-1].sp <= sp, 0)) {
    while (top != t->base && top[-1].sp <= sp && top > t->floor) --top;
    if (top < t->low) t->low = top;
  }
  if (__builtin_expect(top < t->limit, 1)) {
    *top = {address(pc), sp};
#if STEWARD_BURSTS
    top->sampled = sampled;
#endif
    t->top = top + 1;
    if constexpr (kTraces) {
      trace::enter(*t, static_cast<std::uint64_t>(top - t->base), STEWARD_CALLER, sp);
    }
  } else {
    ++t->overflow;
  }
}
STEWARD_HOOK void __tsan_func_exit() {
  ThreadState* t = current;
  if (__builtin_expect(t->overflow != 0, 0)) {
    --t->overflow;
    return;
  }
  const auto sp = reinterpret_cast<uptr>(__builtin_frame_address(0));
  Frame* top = t->top;
  // gcc leaves a void function by a jump to here, its own frame gone already: then it is the last one
  // below the stack pointer, and what it returns to is what this call returns to.
  bool is_gone = false;
  while (__builtin_expect(top > t->floor && top[-1].sp < sp, 0)) {
    --top;
    is_gone = top->pc == STEWARD_CALLER;
  }
  if (top > t->floor && !is_gone) --top;
  t->top = top;
  if (top < t->low) t->low = top;
  if constexpr (kLockset) discipline::returned(*t, t->floor, top);
  if constexpr (kTraces) trace::exit(*t, static_cast<std::uint64_t>(top - t->base));
}

STEWARD_HOOK void __tsan_init() {
  start_runtime();
  if constexpr (kTraces) trace::module_loaded();
}
