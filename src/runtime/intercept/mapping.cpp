// Mappings. Memory that is mapped is new, also over what was there; moved memory keeps its history.
// What libc maps for itself (thread stacks, its heap) does not come through here; the hooks of the
// heap and of threads see to that.
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "runtime/intercept/real.h"
#include "runtime/lockset/discipline.h"
#include "runtime/trace/tool.h"

using namespace steward::rt;

REAL(void*, mmap, void*, std::size_t, int, int, int, off_t)
REAL(int, munmap, void*, std::size_t)
REAL(void*, mremap, void*, std::size_t, std::size_t, int, void*)
REAL(int, brk, void*)
REAL(void*, sbrk, intptr_t)
REAL(void*, shmat, int, const void*, int)

namespace {

std::size_t pages(std::size_t n) {
  return (n + 4095) & ~std::size_t{4095};
}

void is_new(uptr a, std::size_t size) {
  if (!started() || size == 0) return;
  cover(a, size);
  if (ThreadState* t = interceptor_thread()) {
    const RuntimeScope scope(*t);
    clear_shadow(a, size);
    if constexpr (kTraces) trace::event(*t, trace::Op::Alloc, {.address = a, .size = size});
  }
}
void is_gone(uptr a, std::size_t size) {
  ThreadState* t = interceptor_thread();
  if (t == nullptr || size == 0 || (a & 4095) != 0 || a + size >= kAddressSpace) return;
  const RuntimeScope scope(*t);
  clear_shadow(a, size);
}
void* map(void* at, std::size_t size, int protection, int flags, int fd, off_t offset) {
  void* p = real_mmap()(at, size, protection, flags, fd, offset);
  if (p != MAP_FAILED) is_new(address(p), pages(size));
  return p;
}

}  // namespace

STEWARD_HOOK void* mmap(void* at, std::size_t size, int protection, int flags, int fd,
                        off_t offset) {
  return map(at, size, protection, flags, fd, offset);
}
STEWARD_HOOK void* mmap64(void* at, std::size_t size, int protection, int flags, int fd,
                          off64_t offset) {
  return map(at, size, protection, flags, fd, offset);
}
STEWARD_HOOK int munmap(void* p, std::size_t size) {
  is_gone(address(p), pages(size));  // before: another thread may get it the moment it is free
  return real_munmap()(p, size);
}
STEWARD_HOOK void* mremap(void* old, std::size_t old_size, std::size_t size, int flags, ...) {
  void* at = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list rest;
    va_start(rest, flags);
    at = va_arg(rest, void*);
    va_end(rest);
  }
  void* p = real_mremap()(old, old_size, size, flags, at);
  ThreadState* t = interceptor_thread();
  if (p == MAP_FAILED || t == nullptr) return p;
  const uptr from = address(old), to = address(p);
  const std::size_t had = pages(old_size), has = pages(size);
  const std::size_t kept = had < has ? had : has;
  cover(to, has);
  const RuntimeScope scope(*t);
  if (from != to) {
    if constexpr (kLockset) discipline::moved(from, to, kept);
    move_shadow(from, to, kept);
    if (had != 0) clear_shadow(from, had);
  } else if (had > has) {
    clear_shadow(from + has, had - has);
  }
  if (has > kept) clear_shadow(to + kept, has - kept);
  return p;
}
STEWARD_HOOK int brk(void* end) {
  void* before = real_sbrk()(0);
  const int result = real_brk()(end);
  if (result == 0 && address(end) > address(before))
    is_new(address(before), address(end) - address(before));
  return result;
}
STEWARD_HOOK void* sbrk(intptr_t by) {
  void* before = real_sbrk()(by);
  if (address(before) != ~uptr{0} && by > 0) is_new(address(before), static_cast<std::size_t>(by));
  return before;
}
STEWARD_HOOK void* shmat(int id, const void* at, int flags) {
  void* p = real_shmat()(id, at, flags);
  shmid_ds info;
  if (address(p) != ~uptr{0} && shmctl(id, IPC_STAT, &info) == 0) {
    is_new(address(p), pages(info.shm_segsz));
  }
  return p;
}
