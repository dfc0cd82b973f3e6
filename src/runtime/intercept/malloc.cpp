// The heap. Blocks come from libc's allocator as they are, small ones from ours; what is known of
// one lies beside the heap (layout.h). Memory handed out has no past.
#include <cstring>
#include <errno.h>
#include <malloc.h>

#include "runtime/history/stack_depot.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/unseen.h"
#include "runtime/lockset/discipline.h"
#include "runtime/mem/heap_block.h"
#include "runtime/mem/small_blocks.h"
#include "runtime/shadow/cell.h"
#include "runtime/thread/active.h"
#include "runtime/trace/tool.h"

// glibc's allocator under names that nobody interposes.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void __libc_free(void*);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace steward::rt {
namespace {

constexpr std::size_t kMaxSize = std::size_t{1} << 46;
constexpr std::size_t kLarge = 64 * 1024;

REAL(std::size_t, malloc_usable_size, void*)

// The allocator beneath: of small blocks, or libc's. The program's signal handlers wait for ours,
// which has locks that a fork takes.
template <class F>
auto undisturbed(F f) {
  if (started() && self().info != nullptr) {
    const RuntimeScope scope(*current);
    return f();
  }
  const sys::SignalsBlocked guard;  // before the start, or after the thread's end
  return f();
}
void* take_small(std::size_t size) {
  return undisturbed([=] { return small::allocate(size); });
}
void* take(std::size_t size, std::size_t alignment) {
  if (size <= small::kMost && alignment <= 16 && started()) {
    if (void* const p = take_small(size)) return p;
  }
  return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
}
void* take_zeroed(std::size_t size) {
  void* const p = size <= small::kMost && started() ? take_small(size) : nullptr;
  return p != nullptr ? std::memset(p, 0, size) : __libc_calloc(1, size);
}
void give(void* p) {
  if (small::owns(p)) return undisturbed([=] { small::release(p); });
  __libc_free(p);
}
std::size_t room_of(void* p) {
  return small::owns(p) ? small::size_of(p) : real_malloc_usable_size()(p);
}

HeapNote* note_of(uptr block) {  // null where no heap can be
  return reinterpret_cast<HeapNote*>(heap_note_of(block));
}
std::size_t size_of(uptr block, const HeapNote& note) {
  return room_of(reinterpret_cast<void*>(block)) - note.slack;
}

unsigned char& near(uptr block) {
  return layout.heap[block >> 16];
}

// A trace need not say of memory that is used for the first time that it has no past.
bool was_used(uptr block, std::size_t size) {
  for (uptr a = block; a < block + size; a = (a | 0xffff) + 1) {
    if ((near(a) & kHeapFreed) != 0) return true;
  }
  return false;
}
void note_used(uptr block, std::size_t size) {
  for (uptr a = block; a < block + size; a = (a | 0xffff) + 1) {
    if ((near(a) & kHeapFreed) == 0) __atomic_fetch_or(&near(a), kHeapFreed, __ATOMIC_RELEASE);
  }
}

// Of a block from here that is not yet freed; else null. libc has blocks of its own, some are from
// before we were loaded, and of those that were made while checks were off nothing is known.
HeapNote* live_note_of(uptr block) {
  if ((block & 15) != 0 || block >= kAddressSpace || (near(block) & kHeapBegins) == 0) {
    return nullptr;
  }
  HeapNote* const note = note_of(block);
  return note->is_live != 0 ? note : nullptr;
}

// While checks are off: it may hold clocks of locks that have gone.
void* forgotten(void* p, std::size_t size) {
  const uptr block = reinterpret_cast<uptr>(p);
  // A small block is in one region of 64 KiB, or in two.
  if (size <= kLarge && !has_sides(block) && !has_sides(block + size)) return p;
  if (current != no_thread && current->epoch != 0) {
    const RuntimeScope scope(*current);
    clear_shadow(block, (size + 7) & ~std::size_t{7});
  }
  return p;
}

// A block is new: who made it, and no past.
void* enter(void* p, std::size_t size, uptr pc) {
  if (p == nullptr || !started()) return p;
  if (kSamples && !is_order_followed()) return forgotten(p, size);
  const uptr block = reinterpret_cast<uptr>(p);
  HeapNote* const place = note_of(block);
  if (place == nullptr) return p;
  const std::size_t slack = room_of(p) - size;
  HeapNote note{1, slack < 4096 ? slack : 4095, 0, 0, 0};
  ThreadState& t = self();
  if (t.epoch != 0) {
    const RuntimeScope scope(t);
    if constexpr (!kTraces) note.allocated = static_cast<std::uint32_t>(keep_here(t, pc));
    note.thread = t.info->id & HeapNote::kThreads;
    if (!kTraces || was_used(block, size)) clear_cells(block, (size + 7) & ~std::size_t{7});
    if constexpr (kLockset) discipline::allocated(t, block, size);
    if constexpr (kTraces) {
      trace::event(t, trace::Op::Alloc, {.address = block, .size = size, .pc = pc});
    }
  }
  *place = note;
  if ((near(block) & kHeapBegins) == 0) {
    __atomic_fetch_or(&near(block), kHeapBegins, __ATOMIC_RELEASE);
  }
  return p;
}

bool too_large(std::size_t size) {
  if (size <= kMaxSize) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

void* allocate(std::size_t size, std::size_t alignment, uptr pc) {
  if (too_large(size)) return nullptr;
  return enter(take(size, alignment), size, pc);
}

bool find_block(uptr a, HeapBlock& out) {
  // Back through the notes; a block of 64 MiB is as far as it looks.
  constexpr uptr kFar = uptr{1} << 26;
  for (uptr block = a & ~uptr{15}; a - block < kFar && block > 0xffff; block -= 16) {
    if ((near(block) & kHeapBegins) == 0) {
      block &= ~uptr{0xffff};
      continue;
    }
    const HeapNote* const place = note_of(block);
    if (place == nullptr) return false;
    const HeapNote note = *place;
    if (note.is_live == 0) continue;
    const std::size_t size = size_of(block, note);
    if (a >= block + size) return false;
    out = {block, size, static_cast<std::uint32_t>(note.thread),
           static_cast<StackId>(note.allocated)};
    return true;
  }
  return false;
}

void free_block(void* p, uptr pc) {
  if (p == nullptr) return;
  const uptr block = reinterpret_cast<uptr>(p);
  HeapNote* const note = started() ? live_note_of(block) : nullptr;
  if (note == nullptr) return give(p);
  const std::size_t size = size_of(block, *note);
  ThreadState& t = self();
  if (t.epoch != 0) {
    // Freeing is a write to every byte: it races with an access that is not ordered before it.
    if (!is_unseen(pc)) {
      if constexpr (kLockset) {
        discipline::freed(t, block, size);
      } else if (size > kLarge) {
        check_last(t, block, size, pc);
      } else {
        check_access(t, AccessKind::Write, block, size, pc);
      }
    }
    t.recent_runs.clear();  // another thread may hand the memory back, as something new
    // The write stays until the memory is handed out again: a use after it, from a thread that
    // does not come after, races with it. Large blocks give their shadow back.
    if (size > kLarge) {
      const RuntimeScope scope(t);
      clear_cells(block, (size + 7) & ~std::size_t{7});
    } else if (kTraces) {
      note_used(block, size);
    }
  }
  // Not before the check: its report describes the block.
  note->is_live = 0;
  give(p);
}

namespace {

void* allocate_zeroed(std::size_t n, std::size_t size, uptr pc) {
  std::size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return too_large(bytes) ? nullptr : enter(take_zeroed(bytes), bytes, pc);
}

void* reallocate(void* p, std::size_t size, uptr pc) {
  if (p == nullptr) return allocate(size, 16, pc);
  if (size == 0) {
    free_block(p, pc);
    return nullptr;
  }
  const uptr block = reinterpret_cast<uptr>(p);
  const HeapNote* const note = started() ? live_note_of(block) : nullptr;
  if (note == nullptr) {
    if (kSamples && started() && !is_order_followed() && !small::owns(p)) {
      return __libc_realloc(p, size);
    }
    void* q = allocate(size, 16, pc);
    if (q == nullptr) return nullptr;
    const std::size_t old = room_of(p);
    std::memcpy(q, p, old < size ? old : size);
    give(p);
    return q;
  }
  const std::size_t old = size_of(block, *note);
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
  const HeapNote* const note = started() ? live_note_of(block) : nullptr;
  return note != nullptr ? size_of(block, *note) : room_of(p);
}
