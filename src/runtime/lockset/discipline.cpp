#include "runtime/lockset/discipline.h"

#include <algorithm>
#include <bit>

#include "core/lockset/lockset.h"
#include "runtime/mem/heap_block.h"
#include "runtime/mem/pages.h"
#include "runtime/options.h"
#include "runtime/record/report.h"
#include "runtime/shadow/cell.h"
#include "runtime/thread/registry.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt::discipline {

bool watches_reads = false, watches_writes = false;

namespace {

KernelPages pages;
SpinLock lock;  // guards the two below; the registry's and the granules' come after it
Placed<Pool> pool;
Placed<Lockset> lockset;

std::atomic<bool> is_shared{false};
std::atomic<bool> has_barriers{false};
// How often an escaped block was freed: what is remembered of pointers ends then.
std::atomic<std::uint32_t> escaped_frees{1};

ThreadId id_of(const ThreadState& t) {
  return ThreadId{t.info->id};
}
std::uint32_t generation_of(const ThreadState& t) {
  return __atomic_load_n(&t.info->generation, __ATOMIC_RELAXED);
}
void next_generation(ThreadId owner) {
  __atomic_fetch_add(&info_of(raw(owner))->generation, 1, __ATOMIC_RELAXED);
}
bool is_on_stack(const ThreadMemory& e, uptr a) {
  return e.is_stack(a) || e.is_tls(a);
}
bool is_known(const ThreadState& t) {
  return t.epoch != 0 && t.info != nullptr && !t.lockset.is_excluded;
}

// Without the lock, from the notes beside the heap: whose is the block that begins here or a few
// words before? A block that one thread has to itself, and one that has escaped, are most of all.
enum class Whose : std::uint8_t { Unknown, Mine, Everybodys };
Whose whose(const ThreadState& t, uptr a) {
  if ((layout.heap[a >> 16] & kHeapBegins) == 0) return Whose::Unknown;
  const std::uint64_t* note = heap_note_of(a & ~uptr{15});
  if (note == nullptr) return Whose::Unknown;
  const uptr units = std::min<uptr>((a & 0xffff) / 16, 8);
  for (uptr i = 0; i <= units; ++i) {
    const std::uint64_t word = __atomic_load_n(note - i, __ATOMIC_RELAXED);
    if (word == 0) continue;
    const auto n = std::bit_cast<HeapNote>(word);
    if (n.is_live == 0) continue;
    if (n.is_escaped != 0) return Whose::Everybodys;
    return n.thread == (t.info->id & HeapNote::kThreads) ? Whose::Mine : Whose::Unknown;
  }
  return Whose::Unknown;
}
// The block that begins here, if one does.
void note_escaped(uptr block) {
  if ((block & 15) != 0 || (layout.heap[block >> 16] & kHeapBegins) == 0) return;
  std::uint64_t* note = heap_note_of(block);
  constexpr auto kEscaped = std::bit_cast<std::uint64_t>(HeapNote{0, 0, 0, 0, 1});
  if (note != nullptr && (__atomic_load_n(note, __ATOMIC_RELAXED) & 1) != 0) {
    __atomic_fetch_or(note, kEscaped, __ATOMIC_RELAXED);
  }
}

// Cells say that an epoch's accesses have been looked at: these have not. No region is taken for
// it: if its owner is storing at this moment, that access came before.
void empty_cells(uptr begin, std::size_t size) {
  for (uptr g = begin & ~uptr{7}; g < begin + size; g += 8) {
    ShadowCell& cell = ShadowCell::of(g);
    ShadowCell seen = cell.load();
    while (!Word(seen.write).is_side() && (seen.write | seen.read) != 0 &&
           !cell.exchange(seen, {0, 0})) {
    }
    if (!Word(seen.write).is_side()) continue;
    LockedSide side(g, false);
    if (side) side->forget();
  }
}

// Under the lock.
void opened(ThreadId owner, Address begin, std::uint64_t size) {
  next_generation(owner);
  note_escaped(begin);
  ThreadInfo& info = *info_of(raw(owner));
  ThreadMemory extent;
  if (find_extent(raw(owner), extent) && is_on_stack(extent, begin)) {
    if (begin < info.open_begin) __atomic_store_n(&info.open_begin, begin, __ATOMIC_RELAXED);
    if (begin + size > info.open_end) {
      __atomic_store_n(&info.open_end, begin + size, __ATOMIC_RELAXED);
    }
  }
  empty_cells(begin, size);
}

// A stack is its thread's; other memory outside the heap, its first thread's.
ThreadId first_of(const ThreadState& t, bool is_variable, Address a) {
  if (is_variable) return kAllThreads;
  if (is_on_stack(t.extent, a)) return id_of(t);
  Resident owner;
  return thread_with_stack(a, owner) ? ThreadId{owner.thread} : id_of(t);
}

// What an access has broken. Neighbours with the same past are one finding.
struct Findings {
  static constexpr unsigned kMax = 4;
  unsigned count = 0;
  LiveConflict conflicts[kMax];
  BrokenDiscipline broken[kMax];
  Lockset::Conflict last;

  void add(ThreadState& t, Lockset& l, const Lockset::Conflict& c, Address a, unsigned bytes) {
    if (count > 0) {
      LiveConflict& before = conflicts[count - 1];
      if (before.address + before.size == a && c.kind == last.kind &&
          c.stamp.site == last.stamp.site && c.first_held == last.first_held &&
          c.before == last.before) {
        before.size += bytes;
        return;
      }
    }
    if (count == kMax) return;
    last = c;
    conflicts[count] = {c.kind, raw(c.stamp.site), a, bytes};
    BrokenDiscipline& b = broken[count++];
    b.ordered = t.covers(unpack(raw(c.stamp.site)));
    b.later = ids_of(l, c.second_held);
    b.earlier = ids_of(l, c.first_held);
    b.common = ids_of(l, c.before);
  }

  static BrokenDiscipline::Locks ids_of(const Lockset& l, lockset::SetId set) {
    BrokenDiscipline::Locks ids;
    for (const std::uint64_t id : l.locks_of(static_cast<std::uint32_t>(set))) {
      if (ids.count == BrokenDiscipline::Locks::kMax) break;
      ids.list[ids.count++] = id == lockset::kAtomicity ? 0 : static_cast<std::uint32_t>(id);
    }
    return ids;
  }
};

// Calls each(word) for what may be a pointer in memory of the program's.
template <class Each>
void scan_words(uptr begin, uptr end, const Each& each) {
  for (uptr a = (begin + 7) & ~uptr{7}; a + 8 <= end; a += 8) {
    const uptr word = __atomic_load_n(reinterpret_cast<const uptr*>(a), __ATOMIC_RELAXED);
    if (may_be_heap(word)) each(word);
  }
}
constexpr auto scan_block = [](const lockset::Object& o, const auto& each) {
  scan_words(o.begin, o.end(), each);
};

}  // namespace

void start() {
  const bool writes = options().lockset_barrier == Options::Barrier::Write;
  pool.make(pages);
  lockset.make(*pool, Lockset::Settings{
                          .barrier = writes ? Lockset::Barrier::Write : Lockset::Barrier::Read,
                          .block = options().lockset_block,
                          .excluded = {},
                          .opened = opened,
                      });
  watches_reads = !writes;
  watches_writes = writes;
}

void check(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (!is_shared.load(std::memory_order_relaxed) || !is_known(t)) return;
  if (t.ignore_accesses != 0 || size == 0 || a >= kAddressSpace - size) return;
  ThreadPart& part = t.lockset;
  ++part.counts.accesses;
  const bool heap = may_be_heap(a);
  const ThreadInfo& info = *t.info;
  if (heap) {
    if (whose(t, a) == Whose::Mine || part.own.has(a, size, generation_of(t))) {
      ++part.counts.owned;
      return;
    }
  } else if (is_on_stack(t.extent, a) &&
             (a + size <= __atomic_load_n(&info.open_begin, __ATOMIC_RELAXED) ||
              a >= __atomic_load_n(&info.open_end, __ATOMIC_RELAXED))) {
    ++part.counts.owned;
    return;
  }
  const RuntimeScope scope(t);
  const bool is_variable = !heap && !is_on_stack(t.extent, a) && part.globals.has(a, is_global);
  Findings found;
  {
    const Locked guard(lock);
    Lockset& l = *lockset;
    if (heap) {
      const lockset::Object* o = l.object_at(a);
      if (o == nullptr) return;  // the allocator's own, or freed
      if (o->state == lockset::State::Owned && o->owner == id_of(t)) {
        part.own.add(a, o->begin, o->end(), generation_of(t));
      }
    }
    const auto held = [&](AccessKind k) { return part.monitors.protecting(k, l.sets()); };
    uptr page = 0;
    ThreadId whose_page{};
    const auto first = [&](Address at) {  // all threads are asked: once a page is enough
      if (at >> 12 != page) {
        page = at >> 12;
        whose_page = first_of(t, is_variable, at);
      }
      return whose_page;
    };
    l.access(kind, Lockset::By{id_of(t), held, first}, a, size, SiteId{t.epoch},
             [&](const Lockset::Conflict& c, ThreadId, Address at, unsigned bytes) {
               found.add(t, l, c, at, bytes);
             });
  }
  for (unsigned i = 0; i < found.count; ++i) {
    report_discipline(t, kind, a, size, pc, found.conflicts[i], found.broken[i]);
  }
}

void second_thread() {
  is_shared.store(true, std::memory_order_relaxed);
}

namespace {
// A pointer into the heap is known from its page, and a large block has pages where none begins.
void note_pages(uptr block, std::size_t size) {
  for (uptr page = block >> 16; page <= (block + size) >> 16; ++page) {
    if (layout.heap[page] == 0)
      __atomic_fetch_or(&layout.heap[page], kHeapInside, __ATOMIC_RELAXED);
  }
}
}  // namespace

void allocated(ThreadState& t, uptr block, std::size_t size) {
  note_pages(block, size);
  const Locked guard(lock);
  lockset->make(id_of(t), block, size);
}

void reborn(ThreadState& t, uptr begin, std::size_t size) {
  if (!is_known(t) || size == 0) return;
  note_pages(begin, size);
  const RuntimeScope scope(t);
  const Locked guard(lock);
  // The block that it lies in is no object any more: its note must not speak for this one.
  if (const lockset::Object* around = lockset->object_at(begin)) note_escaped(around->begin);
  lockset->alloc(id_of(t), begin, size);
}

void freed(ThreadState& t, uptr block, std::size_t size) {
  t.lockset.own.remove(block, block + size);
  const RuntimeScope scope(t);
  const Locked guard(lock);
  if (const lockset::Object* o = lockset->object_at(block)) {
    if (o->state != lockset::State::Owned) {
      escaped_frees.fetch_add(1, std::memory_order_relaxed);
    } else if (t.info == nullptr || o->owner != id_of(t)) {
      next_generation(o->owner);
    }
  }
  lockset->clear(block, size);
}

void cleared(uptr a, std::size_t size) {
  if (size == 0) return;
  const Locked guard(lock);
  escaped_frees.fetch_add(1, std::memory_order_relaxed);
  lockset->clear(a, size);
}

void moved(uptr from, uptr to, std::size_t size) {
  const Locked guard(lock);
  escaped_frees.fetch_add(1, std::memory_order_relaxed);
  lockset->copy(from, to, size);
}

void forget_stack(ThreadState& t, uptr below) {
  ThreadInfo& info = *t.info;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  const uptr begin = info.open_begin, end = std::min(info.open_end, below);
  if (begin < end) lockset->clear(begin, end - begin);
  const bool all = info.open_end <= below;
  __atomic_store_n(&info.open_begin, all ? ~uptr{0} : below, __ATOMIC_RELAXED);
  if (all) __atomic_store_n(&info.open_end, 0, __ATOMIC_RELAXED);
}

void pointer_read_slow(ThreadState& t, uptr value) {
  if (!is_shared.load(std::memory_order_relaxed) || !is_known(t)) return;
  ThreadPart& part = t.lockset;
  ++part.counts.pointers;
  if (whose(t, value) != Whose::Unknown) return;
  const std::uint32_t frees = escaped_frees.load(std::memory_order_relaxed);
  if (part.own.has(value, 1, generation_of(t)) || part.escaped.has(value, frees)) return;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  lockset->load_reference(id_of(t), 0, value);
  const lockset::Object* o = lockset->object_at(value);
  if (o == nullptr) return;
  if (o->state == lockset::State::Owned) {
    part.own.add(value, o->begin, o->end(), generation_of(t));
  } else {
    part.escaped.add(value, frees);
  }
}

void pointer_written_slow(ThreadState& t, uptr slot, uptr value) {
  if (!is_known(t)) return;
  ThreadPart& part = t.lockset;
  ++part.counts.pointers;
  if (is_on_stack(t.extent, slot) || whose(t, value) == Whose::Everybodys) return;
  if (may_be_heap(slot) &&
      (whose(t, slot) == Whose::Mine || part.own.has(slot, 8, generation_of(t)))) {
    return;
  }
  const std::uint32_t frees = escaped_frees.load(std::memory_order_relaxed);
  if (part.escaped.has(value, frees)) return;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  lockset->store_reference(slot, value, scan_block);
  const lockset::Object* o = lockset->object_at(value);
  if (o != nullptr && o->state != lockset::State::Owned) part.escaped.add(value, frees);
}

void copied(ThreadState& t, uptr from, uptr to, std::size_t size) {
  if (!is_known(t) || from >= kAddressSpace - size) return;
  scan_words(from, from + size, [&](uptr word) { pointer_read(t, word); });
  // The place of the one that goes to `to` is off by as much for all.
  if (!watches_writes) return;
  for (uptr i = ((from + 7) & ~uptr{7}) - from; i + 8 <= size; i += 8) {
    pointer_written(t, to + i, *reinterpret_cast<const uptr*>(from + i));
  }
}

void argument_passed(ThreadState& child, uptr value) {
  if (!may_be_heap(value)) return;
  if (watches_reads) return pointer_read_slow(child, value);
  const RuntimeScope scope(child);
  const Locked guard(lock);
  lockset->publish(value, scan_block);
}

void note_barriers() {
  if (!has_barriers.load(std::memory_order_relaxed)) {
    has_barriers.store(true, std::memory_order_relaxed);
  }
}

// Names separated by '|'; '*' stands for any letters, '?' for one.
static bool matches(const char* pattern, const char* name) {
  for (;; ++pattern, ++name) {
    if (*pattern == '*') {
      do {
        if (matches(pattern + 1, name)) return true;
      } while (*name++ != '\0');
      return false;
    }
    if (*pattern == '\0' || *pattern == '|') return *name == '\0';
    if (*name == '\0' || (*pattern != '?' && *pattern != *name)) return false;
  }
}
bool is_excluded_name(const char* name) {
  for (const char* p = options().lockset_exclude; *p != '\0';) {
    if (matches(p, name)) return true;
    while (*p != '\0' && *p != '|') ++p;
    if (*p == '|') ++p;
  }
  return false;
}

Stats stats() {
  const RegistryStats all = registry_stats();
  const Locked guard(lock);
  const Lockset& l = *lockset;
  return {.accesses = all.lockset.accesses,
          .owned = all.lockset.owned,
          .checked = l.sampled().sampled_accesses,
          .pointers = all.lockset.pointers,
          .objects = l.objects(),
          .escaped = l.escaped_objects(),
          .locksets = lockset->sets().size(),
          .bytes = pool->peak(),
          .has_barriers = has_barriers.load(std::memory_order_relaxed),
          .is_shared = is_shared.load(std::memory_order_relaxed)};
}

void lock_for_fork() {
  lock.lock();
}
void unlock_after_fork() {
  lock.unlock();
}

}  // namespace steward::rt::discipline
