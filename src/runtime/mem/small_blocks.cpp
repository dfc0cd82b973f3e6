#include "runtime/mem/small_blocks.h"

#include <cstdint>

#include "runtime/mem/lock.h"
#include "runtime/platform/linux/sys.h"

namespace steward::rt::small {
namespace {

constexpr std::size_t kMostArena = std::size_t{64} << 30;  // reserved, not committed
constexpr std::size_t kLeastArena = std::size_t{1} << 30;  // where there is less room, under Valgrind, say
constexpr std::size_t kRegion = 16 * 1024;
constexpr std::size_t kRun = 1024;
constexpr std::size_t kStep = 16;
constexpr unsigned kClasses = kMost / kStep;
constexpr unsigned kCached = 64;  // free blocks of a size in a thread's cache
constexpr unsigned kHeaps = 1u << 16;

constexpr std::size_t bytes_of(unsigned size_class) {
  return (size_class + 1) * kStep;
}
constexpr unsigned blocks_of(unsigned size_class) {
  return static_cast<unsigned>(kRun / bytes_of(size_class));
}
using Bits = std::uint64_t;  // one a block of a run
static_assert(kRun / kStep <= 64);
constexpr Bits all_of(unsigned size_class) {
  return ~Bits{0} >> (64 - blocks_of(size_class));
}

using RunNumber = std::uint32_t;    // 0 is not used
using HeapNumber = std::uint16_t;  // 0 is not used
static_assert(kMostArena / kRun < ~RunNumber{0});

struct Run {
  Bits free = 0;  // blocks that are in no cache and not in use; its heap's lock guards the first 3
  RunNumber next = 0, previous = 0;  // in its list; 0: none
  HeapNumber heap = 0;               // fixed, but for a spare one
  std::uint8_t size_class = 0;       // fixed while a block of it is anywhere
};

struct alignas(64) Heap {
  SpinLock lock;                   // guards the lists and what is in them
  RunNumber with_free[kClasses];  // runs that have free blocks, of a size
  RunNumber empty;                // ... that have all of them
  char *next_run, *region_end;    // of the region that is being used up; its thread's
  HeapNumber next_idle;
  bool is_idle;  // its thread has ended; this and the one above are guarded by the arena's lock
};

// A free block. Its second word tells that it is one, as no program's data does but by chance.
struct Block {
  Block* next;
  std::uint64_t mark;
};
static_assert(sizeof(Block) <= kStep);

struct Cache {
  Block* free[kClasses];
  std::uint32_t count[kClasses];
  Heap* heap;
  bool left;  // its thread has ended: nothing is kept
};

char* arena = nullptr;  // this and the next four are set at the start
std::size_t arena_bytes = 0;
Run* runs = nullptr;
Heap* heaps = nullptr;
std::uint64_t secret = 0;
SpinLock arena_lock;  // taken before any heap's; guards the rest
std::size_t used = 0;  // of the arena, in bytes
unsigned heap_count = 1;
HeapNumber idle = 0;   // heaps
RunNumber spare = 0;   // empty runs of theirs
__thread Cache cache __attribute__((tls_model("initial-exec")));

RunNumber run_at(const void* p) {
  return static_cast<RunNumber>(static_cast<std::size_t>(static_cast<const char*>(p) - arena) /
                                kRun);
}
char* begin_of(RunNumber n) {
  return arena + std::size_t{n} * kRun;
}
HeapNumber number_of(const Heap& h) {
  return static_cast<HeapNumber>(&h - heaps);
}
std::uint64_t mark_of(const Block* b) {
  return secret ^ reinterpret_cast<std::uint64_t>(b);
}

void link(RunNumber& list, RunNumber n) {
  runs[n].next = list;
  runs[n].previous = 0;
  if (list != 0) runs[list].previous = n;
  list = n;
}
void unlink(RunNumber& list, RunNumber n) {
  const Run& r = runs[n];
  (r.previous != 0 ? runs[r.previous].next : list) = r.next;
  if (r.next != 0) runs[r.next].previous = r.previous;
}

// Under the lock of the block's heap.
void give_back(Heap& h, Block* b) {
  const RunNumber n = run_at(b);
  Run& r = runs[n];
  const auto offset = static_cast<std::size_t>(reinterpret_cast<char*>(b) - begin_of(n));
  const Bits before = r.free;
  r.free |= Bits{1} << offset / bytes_of(r.size_class);
  if (before == 0) link(h.with_free[r.size_class], n);
  if (r.free != all_of(r.size_class)) return;
  unlink(h.with_free[r.size_class], n);
  link(h.empty, n);
}

void begin_run(RunNumber n, const Heap& h, unsigned size_class) {
  runs[n].heap = number_of(h);
  runs[n].size_class = static_cast<std::uint8_t>(size_class);
}

// A run of the heap's that has free blocks, or 0. They are all taken out.
RunNumber take_known(Heap& h, unsigned size_class, Bits& blocks) {
  const Locked guard(h.lock);
  RunNumber n = h.with_free[size_class];
  if (n != 0) {
    unlink(h.with_free[size_class], n);
    blocks = runs[n].free;
  } else if ((n = h.empty) != 0) {
    unlink(h.empty, n);
    begin_run(n, h, size_class);
    blocks = all_of(size_class);
  }
  runs[n].free = 0;
  return n;
}

// One that nobody uses: of the heap's region, of what ended threads have left, or of a new region.
RunNumber take_unused(Heap& h, unsigned size_class) {
  RunNumber n = 0;
  if (h.next_run == h.region_end) {
    const Locked guard(arena_lock);
    n = spare;
    if (n != 0) {
      unlink(spare, n);
    } else {
      if (used + kRegion > arena_bytes) return 0;
      h.next_run = arena + used;
      h.region_end = h.next_run + kRegion;
      used += kRegion;
    }
  }
  if (n == 0) {
    n = run_at(h.next_run);
    h.next_run += kRun;
  }
  runs[n].free = 0;
  begin_run(n, h, size_class);
  return n;
}

Heap* adopt() {
  const Locked guard(arena_lock);
  HeapNumber n = idle;
  if (n != 0) {
    idle = heaps[n].next_idle;
  } else if (heap_count < kHeaps) {
    n = static_cast<HeapNumber>(heap_count++);
  } else {
    return nullptr;
  }
  heaps[n].is_idle = false;
  return &heaps[n];
}
void abandon(Heap& h) {  // under the arena's lock
  {
    const Locked guard(h.lock);
    while (const RunNumber n = h.empty) {
      unlink(h.empty, n);
      link(spare, n);
    }
  }
  h.is_idle = true;
  h.next_idle = idle;
  idle = number_of(h);
}

Block* block_at(RunNumber n, unsigned i) {
  return reinterpret_cast<Block*>(begin_of(n) + i * bytes_of(runs[n].size_class));
}

__attribute__((noinline)) void* allocate_slowly(unsigned size_class) {
  Cache& c = cache;
  if (arena == nullptr || c.left) return nullptr;
  if (c.heap == nullptr && (c.heap = adopt()) == nullptr) return nullptr;
  Bits blocks = all_of(size_class);
  RunNumber n = take_known(*c.heap, size_class, blocks);
  if (n == 0 && (n = take_unused(*c.heap, size_class)) == 0) return nullptr;
  Block* const first = block_at(n, static_cast<unsigned>(__builtin_ctzll(blocks)));
  // The others in the order of their addresses.
  Block** last = &c.free[size_class];
  for (blocks &= blocks - 1; blocks != 0; blocks &= blocks - 1) {
    Block* const b = block_at(n, static_cast<unsigned>(__builtin_ctzll(blocks)));
    b->mark = mark_of(b);
    *last = b;
    last = &b->next;
    ++c.count[size_class];
  }
  *last = nullptr;
  first->mark = 0;
  return first;
}

// All but the `kept` freed last go back.
__attribute__((noinline)) void shrink(unsigned size_class, unsigned kept) {
  Cache& c = cache;
  Block** last = &c.free[size_class];
  for (unsigned i = 0; i < kept && *last != nullptr; ++i) last = &(*last)->next;
  Block* b = *last;
  *last = nullptr;
  if (c.count[size_class] > kept) c.count[size_class] = kept;
  while (b != nullptr) {
    Heap& h = heaps[runs[run_at(b)].heap];
    const Locked guard(h.lock);
    do {
      Block* const next = b->next;
      give_back(h, b);
      b = next;
    } while (b != nullptr && runs[run_at(b)].heap == number_of(h));
  }
}

}  // namespace

void start() {
  // Odd, so that a mark is no address, even where the kernel has no random numbers.
  secret = std::uint64_t{sys::random()} << 32 | sys::random() | 1;
  void* room = nullptr;
  for (arena_bytes = kMostArena; arena_bytes >= kLeastArena; arena_bytes /= 2) {
    if ((room = sys::map_if_room(arena_bytes + kRegion)) != nullptr) break;
  }
  if (room == nullptr) return;
  const auto begin = reinterpret_cast<uptr>(room);
  runs = static_cast<Run*>(sys::map(arena_bytes / kRun * sizeof(Run)));
  heaps = static_cast<Heap*>(sys::map(kHeaps * sizeof(Heap)));
  used = kRegion;  // there is no run 0
  arena = reinterpret_cast<char*>((begin + kRegion - 1) & ~(kRegion - 1));
}

void* allocate(std::size_t size) {
  const unsigned size_class = size == 0 ? 0 : static_cast<unsigned>((size - 1) / kStep);
  Cache& c = cache;
  Block* const b = c.free[size_class];
  if (b == nullptr) return allocate_slowly(size_class);
  c.free[size_class] = b->next;
  --c.count[size_class];
  b->mark = 0;
  return b;
}

bool owns(const void* p) {
  return arena != nullptr &&
         static_cast<std::size_t>(static_cast<const char*>(p) - arena) < arena_bytes;
}

std::size_t size_of(const void* p) {
  return bytes_of(runs[run_at(p)].size_class);
}

void release(void* p) {
  auto* const b = static_cast<Block*>(p);
  const RunNumber n = run_at(p);
  const unsigned size_class = runs[n].size_class;
  const auto offset = static_cast<std::size_t>(static_cast<char*>(p) - begin_of(n));
  if (offset % bytes_of(size_class) != 0 || offset / bytes_of(size_class) >= blocks_of(size_class) ||
      runs[n].heap == 0) {
    sys::die("free(): no block begins there");
  }
  if (b->mark == mark_of(b)) sys::die("free(): the block is free already");
  Cache& c = cache;
  b->mark = mark_of(b);
  b->next = c.free[size_class];
  c.free[size_class] = b;
  if (++c.count[size_class] > kCached || c.left) shrink(size_class, c.left ? 0 : kCached / 2);
}

void leave_thread() {
  Cache& c = cache;
  c.left = true;
  for (unsigned k = 0; k < kClasses; ++k) shrink(k, 0);
  if (c.heap == nullptr) return;
  const Locked guard(arena_lock);
  abandon(*c.heap);
  c.heap = nullptr;
}

void lock_for_fork() {
  arena_lock.lock();
  for (unsigned n = 1; n < heap_count; ++n) heaps[n].lock.lock();
}
void unlock_after_fork(bool child) {
  for (unsigned n = 1; n < heap_count; ++n) {
    heaps[n].lock.unlock();
    // Its thread is not in this process.
    if (child && &heaps[n] != cache.heap && !heaps[n].is_idle) abandon(heaps[n]);
  }
  arena_lock.unlock();
}

}  // namespace steward::rt::small
