// The heap. Blocks come from libc's allocator with a header of ours before them; memory handed out
// has no past.
#include <cstring>
#include <errno.h>
#include <malloc.h>

#include "runtime/history/stack_depot.h"
#include "runtime/intercept/real.h"
#include "runtime/mem/heap_block.h"
#include "runtime/shadow/cell.h"

// glibc's allocator under names that nobody interposes.
extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace steward::rt {
namespace {

struct Header {  // the 16 bytes before a block
  std::uint64_t size : 47;
  std::uint64_t magic : 17;
  std::uint32_t allocated;  // StackId
  std::uint32_t thread : 22;
  std::uint32_t shift : 10;  // in 16 bytes: from libc's block to ours, less the header
};
static_assert(sizeof(Header) == 16);
constexpr std::uint64_t kMagic = 0x1a5ed;
constexpr std::size_t kMaxSize = std::size_t{1} << 46;
constexpr std::size_t kLarge = 64 * 1024;

Header& header_of(uptr block) {
  return *reinterpret_cast<Header*>(block - sizeof(Header));
}

void mark(uptr a, bool on) {
  std::uint64_t& word = layout.blocks[a >> 10];
  const std::uint64_t bit = std::uint64_t{1} << (a >> 4 & 63);
  if (on) {
    __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_and(&word, ~bit, __ATOMIC_RELAXED);
  }
}

uptr raw_of(uptr block) {
  const Header& h = header_of(block);
  std::size_t units = h.shift;
  if (units == 1023) units = *reinterpret_cast<uptr*>(block - 2 * sizeof(Header));
  return block - sizeof(Header) - units * 16;
}

bool is_ours(uptr block) {
  return (block & 15) == 0 && header_of(block).magic == kMagic;
}

REAL(std::size_t, malloc_usable_size, void*)

}  // namespace

void* allocate(std::size_t size, std::size_t alignment, uptr pc) {
  if (size > kMaxSize) {
    errno = ENOMEM;
    return nullptr;
  }
  if (alignment < 16) alignment = 16;
  void* raw;
  uptr block;
  std::uint32_t shift = 0;
  if (alignment == 16) {
    raw = __libc_malloc(size + sizeof(Header));
    if (raw == nullptr) return nullptr;
    block = reinterpret_cast<uptr>(raw) + sizeof(Header);
  } else {
    // The header must fit before an aligned block; past the field's reach the block says so itself.
    raw = __libc_memalign(alignment, size + alignment);
    if (raw == nullptr) return nullptr;
    block = reinterpret_cast<uptr>(raw) + alignment;
    const std::size_t units = (alignment - sizeof(Header)) / 16;
    shift = units < 1023 ? static_cast<std::uint32_t>(units) : 1023;
    if (shift == 1023) *reinterpret_cast<uptr*>(block - 2 * sizeof(Header)) = units;
  }
  Header& h = header_of(block);
  h.size = size;
  h.magic = kMagic;
  h.allocated = 0;
  h.thread = 0;
  h.shift = shift;
  if (started()) {
    ThreadState& t = self();
    if (t.epoch != 0) {
      const RuntimeScope scope(t);
      h.allocated = static_cast<std::uint32_t>(keep_stack(stack_of(t, pc)));
      h.thread = t.info->id;
      clear_shadow(block, (size + 7) & ~std::size_t{7});
    }
    mark(block, true);
  }
  return reinterpret_cast<void*>(block);
}

bool find_block(uptr a, HeapBlock& out) {
  // Back through the map of beginnings; a block of 64 MiB is as far as it looks.
  uptr unit = a >> 4;
  std::uint64_t bits = layout.blocks[unit >> 6] & (~std::uint64_t{0} >> (63 - (unit & 63)));
  for (uptr word = unit >> 6, left = 64 * 1024; left-- > 0 && word > 0;) {
    if (bits != 0) {
      const uptr begin = (word * 64 + (63 - static_cast<uptr>(__builtin_clzll(bits)))) << 4;
      const Header& h = header_of(begin);
      if (h.magic != kMagic || a >= begin + h.size) return false;
      out = {begin, h.size, h.thread, StackId{h.allocated}};
      return true;
    }
    bits = layout.blocks[--word];
  }
  return false;
}

void free_block(void* p, uptr pc) {
  if (p == nullptr) return;
  const uptr block = reinterpret_cast<uptr>(p);
  if (!is_ours(block)) return __libc_free(p);  // from before we were loaded, or from libc itself
  const std::size_t size = header_of(block).size;
  if (started()) {
    mark(block, false);
    ThreadState& t = self();
    if (t.epoch != 0) {
      // Freeing is a write to every byte: it races with an access that is not ordered before it.
      check_access(t, AccessKind::Write, block, size, pc);
      // The write stays until the memory is handed out again: a use after it, from a thread that
      // does not come after, races with it. Large blocks give their shadow back.
      if (size > kLarge) {
        const RuntimeScope scope(t);
        clear_shadow(block, (size + 7) & ~std::size_t{7});
      }
    }
  }
  header_of(block).magic = 0;
  __libc_free(reinterpret_cast<void*>(raw_of(block)));
}

namespace {

void* allocate_zeroed(std::size_t n, std::size_t size, uptr pc) {
  std::size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* p = allocate(bytes, 16, pc);
  if (p != nullptr) std::memset(p, 0, bytes);
  return p;
}

void* reallocate(void* p, std::size_t size, uptr pc) {
  if (p == nullptr) return allocate(size, 16, pc);
  if (size == 0) {
    free_block(p, pc);
    return nullptr;
  }
  const uptr block = reinterpret_cast<uptr>(p);
  if (!is_ours(block)) {
    void* q = allocate(size, 16, pc);
    if (q == nullptr) return nullptr;
    const std::size_t old = real_malloc_usable_size()(p);
    std::memcpy(q, p, old < size ? old : size);
    __libc_free(p);
    return q;
  }
  const std::size_t old = header_of(block).size;
  const std::size_t kept = old < size ? old : size;
  void* q = allocate(size, 16, pc);
  if (q == nullptr) return nullptr;
  std::memcpy(q, p, kept);
  if (started()) {
    ThreadState& t = self();
    if (t.epoch != 0) {
      const RuntimeScope scope(t);
      move_shadow(block, reinterpret_cast<uptr>(q), kept & ~std::size_t{7});
    }
  }
  free_block(p, pc);
  return q;
}

bool power_of_two(std::size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

}  // namespace
}  // namespace steward::rt

using namespace steward::rt;

STEWARD_HOOK void* malloc(std::size_t size) {
  return allocate(size, 16, STEWARD_CALLER);
}
STEWARD_HOOK void free(void* p) {
  free_block(p, STEWARD_CALLER);
}
STEWARD_HOOK void cfree(void* p) {
  free_block(p, STEWARD_CALLER);
}
STEWARD_HOOK void* calloc(std::size_t n, std::size_t size) {
  return allocate_zeroed(n, size, STEWARD_CALLER);
}
STEWARD_HOOK void* realloc(void* p, std::size_t size) {
  return reallocate(p, size, STEWARD_CALLER);
}
STEWARD_HOOK void* reallocarray(void* p, std::size_t n, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(p, bytes, STEWARD_CALLER);
}
STEWARD_HOOK void* memalign(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, STEWARD_CALLER);
}
STEWARD_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, STEWARD_CALLER);
}
STEWARD_HOOK int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* p = allocate(size, alignment, STEWARD_CALLER);
  if (p == nullptr) return ENOMEM;
  *out = p;
  return 0;
}
STEWARD_HOOK void* valloc(std::size_t size) {
  return allocate(size, 4096, STEWARD_CALLER);
}
STEWARD_HOOK void* pvalloc(std::size_t size) {
  return allocate((size + 4095) & ~std::size_t{4095}, 4096, STEWARD_CALLER);
}
STEWARD_HOOK std::size_t malloc_usable_size(void* p) {
  if (p == nullptr) return 0;
  const uptr block = reinterpret_cast<uptr>(p);
  return is_ours(block) ? header_of(block).size : real_malloc_usable_size()(p);
}
