#include "runtime/jumble/locations.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "core/jumble/atomic_buffer.h"
#include "core/jumble/write_buffer.h"
#include "core/memory/flat_map.h"
#include "runtime/abi/hook.h"
#include "runtime/history/stack_depot.h"
#include "runtime/jumble/results.h"
#include "runtime/jumble/tool.h"
#include "runtime/mem/heap_block.h"
#include "runtime/mem/pages.h"
#include "runtime/record/record_file.h"
#include "runtime/sync/sync_object.h"

extern "C" __attribute__((tls_model("initial-exec"))) __thread std::uint64_t __steward_site;

namespace steward::rt::jumble {

Filters filters;

namespace {

using steward::jumble::AtomicBuffer;
using steward::jumble::AtomicThread;
using steward::jumble::Choice;
using steward::jumble::Chooser;
using steward::jumble::Heuristic;
using steward::jumble::MemoryOrder;
using steward::jumble::ScOrder;
using steward::jumble::Value;
using steward::jumble::WriteBuffer;

// A variable in memory. Its memory always holds the latest value.
struct Location {
  uptr address = 0;
  unsigned size = 0;
  bool unresolved = false;  // its last entry's value is not known yet: it is what memory holds
  WriteBuffer* plain = nullptr;
  AtomicBuffer* atomic = nullptr;  // one of the two
  Location* next = nullptr;        // in the granule

  uptr end() const { return address + size; }
  bool overlaps(uptr a, std::size_t bytes) const { return address < a + bytes && a < end(); }
};

// A thread's picks depend on the seed and on the thread, not on who comes first.
class ThreadDraws final : public Draws {
 public:
  void seed(std::uint64_t s) { state_ = s; }
  std::uint64_t draw() override {  // splitmix64
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

struct Reader {
  explicit Reader(Pool& pool) : clock(pool) {}
  ThreadDraws draws;
  // The thread's clock at its last jumbled access. An older clock only lets [GC1] drop less.
  VectorClock clock;
};

constexpr std::size_t kMaxLocations = 1 << 16;

KernelPages pages;
SpinLock lock;  // guards everything below
bool enabled = false;
constinit Config config;  // no constructor that runs: it is read before those do
Results* results = nullptr;
struct Memory {
  explicit Memory(Slot fences)
      : pool(pages), sc(pool, fences), granules(pool), readers(pool), nothing(pool) {}
  Pool pool;
  ScOrder sc;
  FlatMap<std::uint64_t, Location*> granules;
  FlatMap<std::uint32_t, Reader*> readers;  // by thread
  VectorClock nothing;
  std::size_t count = 0;
};
Placed<Memory> memory;

std::uint64_t in_memory(uptr a, unsigned size) {
  switch (size) {
    case 1:
      return __atomic_load_n(reinterpret_cast<std::uint8_t*>(a), __ATOMIC_SEQ_CST);
    case 2:
      return __atomic_load_n(reinterpret_cast<std::uint16_t*>(a), __ATOMIC_SEQ_CST);
    case 4:
      return __atomic_load_n(reinterpret_cast<std::uint32_t*>(a), __ATOMIC_SEQ_CST);
    default:
      return __atomic_load_n(reinterpret_cast<std::uint64_t*>(a), __ATOMIC_SEQ_CST);
  }
}
void to_memory(uptr a, unsigned size, std::uint64_t v) {
  switch (size) {
    case 1:
      return __atomic_store_n(reinterpret_cast<std::uint8_t*>(a), static_cast<std::uint8_t>(v),
                              __ATOMIC_SEQ_CST);
    case 2:
      return __atomic_store_n(reinterpret_cast<std::uint16_t*>(a), static_cast<std::uint16_t>(v),
                              __ATOMIC_SEQ_CST);
    case 4:
      return __atomic_store_n(reinterpret_cast<std::uint32_t*>(a), static_cast<std::uint32_t>(v),
                              __ATOMIC_SEQ_CST);
    default:
      return __atomic_store_n(reinterpret_cast<std::uint64_t*>(a), v, __ATOMIC_SEQ_CST);
  }
}

template <unsigned N>
bool contains(const std::uint32_t (&list)[N], unsigned count, std::uint32_t value) {
  for (unsigned i = 0; i < count; ++i) {
    if (list[i] == value) return true;
  }
  return false;
}

bool is_jumbled_site(std::uint64_t site) {
  const auto name = static_cast<std::uint32_t>(site >> 32);
  return (name != 0 && contains(config.variables, config.variable_count, name)) ||
         contains(config.lines, config.line_count, static_cast<std::uint32_t>(site) & ~1u);
}

// Of an array only some elements may be wanted.
bool is_wanted_element(uptr a, unsigned size) {
  HeapBlock block;
  if (config.index_count == 0 || !find_block(a, block)) return true;
  return contains(config.indices, config.index_count,
                  static_cast<std::uint32_t>((a - block.begin) / size));
}

Location* find(uptr a, unsigned size) {
  Location** first = memory->granules.find(a >> 3);
  for (Location* l = first == nullptr ? nullptr : *first; l != nullptr; l = l->next) {
    if (l->address == a && l->size == size) return l;
  }
  return nullptr;
}

template <class F>
void for_each_overlapping(uptr a, std::size_t bytes, F f) {
  for (uptr g = a >> 3; g <= (a + bytes - 1) >> 3; ++g) {
    if (!may_be_location(g << 3)) continue;
    Location** first = memory->granules.find(g);
    for (Location* l = first == nullptr ? nullptr : *first; l != nullptr;) {
      Location* next = l->next;
      if (l->overlaps(a, bytes)) f(*l);
      l = next;
    }
  }
}

// Without the lock. False: none of the bytes is jumbled.
bool may_hold_locations(uptr a, std::size_t bytes) {
  if (__atomic_load_n(&memory->count, __ATOMIC_RELAXED) == 0) return false;
  constexpr std::size_t kFew = 1024;  // more than so many: asking each costs more than the lock
  if (bytes > kFew) return true;
  for (uptr g = a & ~uptr{7}; g < a + bytes; g += 8) {
    if (may_be_location(g)) return true;
  }
  return false;
}

void end_buffers(Location& l) {
  if (l.plain != nullptr) memory->pool.destroy(l.plain);
  if (l.atomic != nullptr) memory->pool.destroy(l.atomic);
  l.plain = nullptr;
  l.atomic = nullptr;
}

void drop(Location& l) {
  Location*& first = *memory->granules.find(l.address >> 3);
  for (Location** at = &first; *at != nullptr; at = &(*at)->next) {
    if (*at != &l) continue;
    *at = l.next;
    break;
  }
  if (first == nullptr) memory->granules.erase(l.address >> 3);
  end_buffers(l);
  memory->pool.destroy(&l);
  --memory->count;
}

Location* find_or_make(uptr a, unsigned size, bool atomic) {
  Location* l = find(a, size);
  if (l == nullptr) {
    if (!is_wanted_element(a, size)) return nullptr;
    if (memory->count == kMaxLocations) {
      ++results->crowded_out;
      return nullptr;
    }
    ++memory->count;
    ++results->locations;
    Location*& first = memory->granules.get(a >> 3, nullptr);
    l = memory->pool.make<Location>();
    l->address = a;
    l->size = size;
    l->next = first;
    first = l;
    __atomic_store_n(&address_filter(a), 1, __ATOMIC_RELAXED);
  }
  if (atomic && l->atomic == nullptr) {  // its constructor's plain write may have come before
    end_buffers(*l);
    l->unresolved = false;
    l->atomic = memory->pool.make<AtomicBuffer>(memory->pool, in_memory(a, size));
  } else if (l->plain == nullptr && l->atomic == nullptr) {
    l->plain = memory->pool.make<WriteBuffer>(memory->pool, in_memory(a, size));
  }
  return l;
}

Reader& reader_of(ThreadState& t) {
  Reader*& r = memory->readers.get(t.info->id, nullptr);
  if (r == nullptr) {
    r = memory->pool.make<Reader>(memory->pool);
    r->draws.seed(config.seed * 0x2545'f491'4f6c'dd1du + t.info->id);
    (void)r->draws.draw();
  }
  r->clock.copy(t.clock);
  return *r;
}

// f(C_u) for every thread.
auto each_thread() {
  return [](auto f) {
    for_each_live_thread(
        [](std::uint32_t id, void* context) {
          Reader** r = memory->readers.find(id);
          (*static_cast<decltype(f)*>(context))(r == nullptr ? memory->nothing : (*r)->clock);
        },
        &f);
  };
}

// Nobody forked it: what it acquires may be older than what the others have ([GC1]).
bool is_foreign(const ThreadState& t) {
  return t.info->id != 0 && t.info->created == StackId::None;
}

std::uint32_t stack_tag(const ThreadState& t, uptr pc) {
  return static_cast<std::uint32_t>(keep_stack(stack_of(t, pc)));
}

void note_sizes(std::uint64_t writes, unsigned peak) {
  if (writes > results->largest_uncompressed) results->largest_uncompressed = writes;
  if (peak > results->largest) results->largest = peak;
}

// Asks all threads for their clocks, which they give at their next release: a thread that touches
// no jumbled location keeps [GC1] from dropping what it could not see any more. Not at every entry
// lost.
std::uint32_t asked = 0;
__thread std::uint32_t answered = 0;
constexpr std::uint64_t kAskEvery = 64;

void append(ThreadState& t, Location& l, Value value, std::uint32_t tag) {
  if (l.plain != nullptr) {
    const std::uint64_t lost = results->rules[steward::jumble::Rule::RemoveOldest];
    l.plain->write(value, t.clock, t.now(), tag, each_thread(), results->rules);
    if (results->rules[steward::jumble::Rule::RemoveOldest] != lost && lost % kAskEvery == 0) {
      __atomic_store_n(&asked, asked + 1, __ATOMIC_RELAXED);
    }
    note_sizes(l.plain->writes(), l.plain->peak());
  } else {
    const AtomicThread a{t.clock, t.acquire_fence, t.release_fence, t.now()};
    l.atomic->store(a, value, MemoryOrder::Relaxed, tag, memory->sc, results->rules);
    note_sizes(l.atomic->writes(), l.atomic->peak());
  }
}

// What memory holds is the latest value. If nobody has told of it, what came before it is unknown.
void settle(Location& l) {
  const Value now = in_memory(l.address, l.size);
  if (l.plain != nullptr) {
    if (l.unresolved) {
      l.plain->resolve(now);
    } else if (l.plain->latest().value != now) {
      l.plain->restart(now);
      ++results->unseen;
    }
  } else if (l.atomic->latest().value != now) {
    l.atomic->restart(now);
    if (!l.unresolved) ++results->unseen;
  }
  l.unresolved = false;
}

void copy_stack(StackCopy& to, const Stack& s) {
  to.size = 0;
  for (; to.size < s.size && to.size < StackCopy::kMax; ++to.size) to.pcs[to.size] = s.pcs[to.size];
}

void note_stale(ThreadState& t, const Location& l, const Choice& c, Value latest,
                std::uint32_t given_tag, std::uint32_t latest_tag, uptr pc) {
  ++results->stale;
  if (results->distinct != 0) {
    StaleRead& before = results->last[(results->distinct - 1) % Results::kKept];
    if (before.read.size != 0 && before.read.pcs[0] == pc && before.address == l.address &&
        before.given == c.value && before.latest == latest && before.read.thread == t.info->id) {
      ++before.count;
      return;
    }
  }
  StaleRead& s = results->last[results->distinct % Results::kKept];
  s = StaleRead{};
  s.address = l.address;
  s.given = c.value;
  s.latest = latest;
  s.size = l.size;
  s.candidates = c.candidates;
  s.count = 1;
  copy_stack(s.read, stack_of(t, pc));
  s.read.thread = t.info->id;
  copy_stack(s.written, kept_stack(StackId{given_tag}));
  copy_stack(s.overwritten, kept_stack(StackId{latest_tag}));
  ++results->distinct;
}

MemoryOrder order_of(int mo) {
  switch (mo & 0x7fff) {
    case __ATOMIC_RELAXED:
      return MemoryOrder::Relaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return MemoryOrder::Acquire;
    case __ATOMIC_RELEASE:
      return MemoryOrder::Release;
    case __ATOMIC_ACQ_REL:
      return MemoryOrder::AcqRel;
    default:
      return MemoryOrder::SeqCst;
  }
}

// The calling thread, if it may take part.
ThreadState* participant() {
  if (!started()) return nullptr;
  ThreadState& t = self();
  return t.epoch != 0 && t.info != nullptr && t.busy == 0 ? &t : nullptr;
}

// Runs f(thread, location) on a jumbled atomic object. False: it is none.
template <class F>
bool on_atomic(const Operation& o, bool writes, F f) {
  const std::uint64_t site = __steward_site;
  __steward_site = 0;  // what comes next may be in code that does not tell
  const bool by_site = filters.all_atomics || (site != 0 && may_be_jumbled_site(site));
  if (!by_site && !may_be_location(o.address)) return false;
  ThreadState* t = participant();
  if (t == nullptr || o.size > 8) return false;
  bool released = false;
  {
    const RuntimeScope scope(*t);
    const Locked guard(lock);
    if (!enabled) return false;
    Location* l = find(o.address, o.size);
    if (l == nullptr || l->atomic == nullptr) {
      if (!filters.all_atomics && !is_jumbled_site(site)) return false;
      l = find_or_make(o.address, o.size, true);
      if (l == nullptr) return false;
    }
    settle(*l);
    released = f(*t, *l);
    note_sizes(l->atomic->writes(), l->atomic->peak());
  }
  if (writes && released) {
    const RuntimeScope scope(*t);
    increment(*t);
  }
  return true;
}

AtomicThread view(ThreadState& t) {
  return {t.clock, t.acquire_fence, t.release_fence, t.now()};
}
Chooser chooser_for(ThreadState& t) {
  Reader& r = reader_of(t);
  return Chooser(is_foreign(t) ? Heuristic::SequentiallyConsistent : config.heuristic, r.draws);
}

void open_results() {
  if (config.results[0] == '\0') {
    results = static_cast<Results*>(sys::map(sizeof(Results)));
    results->magic = kResultsMagic;
    return;
  }
  char path[4200];
  std::size_t n = 0;
  for (; config.results[n] != '\0'; ++n) path[n] = config.results[n];
  path[n++] = '.';
  char digits[12];
  unsigned count = 0;
  for (int pid = sys::pid(); pid != 0; pid /= 10)
    digits[count++] = static_cast<char>('0' + pid % 10);
  while (count > 0) path[n++] = digits[--count];
  path[n] = '\0';
  const long fd =
      sys::call(SYS_open, reinterpret_cast<long>(path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (sys::failed(fd) || sys::failed(sys::call(SYS_ftruncate, fd, sizeof(Results)))) {
    sys::die("cannot write what STEWARD_JUMBLE's results line names");
  }
  const long at =
      sys::call(SYS_mmap, 0, sizeof(Results), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (sys::failed(at)) sys::die("cannot map the results of a jumbled run");
  sys::close(static_cast<int>(fd));
  results = reinterpret_cast<Results*>(at);
  results->magic = kResultsMagic;
}

}  // namespace

void start() {
  if (!read_config(config)) return;
  open_results();
  memory.make(reserve_slot());
  for (unsigned i = 0; i < config.variable_count; ++i) {
    filters.variables[config.variables[i] & (kFilter - 1)] = 1;
  }
  for (unsigned i = 0; i < config.line_count; ++i) {
    filters.lines[config.lines[i] >> 1 & (kFilter - 1)] = 1;
  }
  filters.all_atomics = config.all_atomics;
  enabled = true;
  const Locked guard(records_lock());
  write_modules();  // a process that crashes has no other time for it
}

std::uint64_t read(uptr a, unsigned size, std::uint64_t site, uptr pc) {
  ThreadState* t = participant();
  if (t == nullptr) return in_memory(a, size);
  const RuntimeScope scope(*t);
  const Locked guard(lock);
  if (!enabled || !is_jumbled_site(site)) return in_memory(a, size);
  Location* l = find_or_make(a, size, false);
  if (l == nullptr) return in_memory(a, size);
  settle(*l);
  if (l->plain == nullptr) return l->atomic->latest().value;  // a plain read of an atomic object
  Chooser chooser = chooser_for(*t);
  const unsigned unit = (site & 1) != 0 ? 8 : config.unit;  // a pointer is never torn
  const Choice c = l->plain->read(t->clock, size, unit, chooser, results->rules);
  if (c.stale) {
    const WriteBuffer::Entry& latest = l->plain->latest();
    note_stale(*t, *l, c, latest.value, (*l->plain)[c.entry].tag, latest.tag, pc);
  }
  return c.value;
}

void write(uptr a, unsigned size, std::uint64_t value, std::uint64_t site, uptr pc) {
  ThreadState* t = participant();
  if (t == nullptr) return to_memory(a, size, value);
  const RuntimeScope scope(*t);
  const Locked guard(lock);
  if (!enabled) return to_memory(a, size, value);
  if (is_jumbled_site(site)) find_or_make(a, size, false);
  bool any = false;
  for_each_overlapping(a, size, [&](Location& l) {
    settle(l);
    any = true;
  });
  to_memory(a, size, value);
  if (!any) return;
  (void)reader_of(*t);
  const std::uint32_t tag = stack_tag(*t, pc);
  for_each_overlapping(a, size,
                       [&](Location& l) { append(*t, l, in_memory(l.address, l.size), tag); });
}

void announce_write(ThreadState& t, uptr a, std::size_t bytes, uptr pc) {
  if (bytes == 0 || !enabled || t.epoch == 0 || t.info == nullptr || t.ignore_accesses != 0) return;
  if (!may_hold_locations(a, bytes)) return;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  std::uint32_t tag = 0;
  auto announce = [&](Location& l) {
    settle(l);
    if (l.plain != nullptr) {
      if (tag == 0) tag = stack_tag(t, pc);
      append(t, l, l.plain->latest().value, tag);
    }
    l.unresolved = true;
  };
  if (bytes / 8 <= memory->count) return for_each_overlapping(a, bytes, announce);
  memory->granules.for_each([&](std::uint64_t, Location* first) {
    for (Location* l = first; l != nullptr; l = l->next) {
      if (l->overlaps(a, bytes)) announce(*l);
    }
  });
}

void forget(uptr begin, std::size_t bytes) {
  if (bytes == 0 || !__atomic_load_n(&enabled, __ATOMIC_RELAXED)) return;
  if (!may_hold_locations(begin, bytes)) return;
  const Locked guard(lock);
  if (bytes / 8 <= memory->count) {
    return for_each_overlapping(begin, bytes, [](Location& l) { drop(l); });
  }
  // A large area: by the locations, of which there are fewer. The map must not change meanwhile.
  constexpr unsigned kBatch = 256;
  Location* batch[kBatch];
  for (unsigned n = kBatch; n == kBatch;) {
    n = 0;
    memory->granules.for_each([&](std::uint64_t, Location* first) {
      for (Location* l = first; l != nullptr && n < kBatch; l = l->next) {
        if (l->overlaps(begin, bytes)) batch[n++] = l;
      }
    });
    for (unsigned i = 0; i < n; ++i) drop(*batch[i]);
  }
}

void released(ThreadState& t) {
  const std::uint32_t now = __atomic_load_n(&asked, __ATOMIC_RELAXED);
  if (__builtin_expect(answered == now, 1) || &t != current || t.info == nullptr) return;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  answered = now;
  (void)reader_of(t);
}

bool atomic_load(const Operation& o, std::uint64_t& value) {
  return on_atomic(o, false, [&](ThreadState& t, Location& l) {
    Chooser chooser = chooser_for(t);
    const std::uint32_t latest_tag = l.atomic->latest().tag;
    const Value latest = l.atomic->latest().value;
    const Choice c =
        l.atomic->load(view(t), order_of(o.order), memory->sc, chooser, results->rules);
    value = c.value;
    if (c.stale) note_stale(t, l, c, latest, (*l.atomic)[c.entry].tag, latest_tag, o.pc);
    return false;
  });
}

bool atomic_store(const Operation& o, std::uint64_t value) {
  return on_atomic(o, true, [&](ThreadState& t, Location& l) {
    (void)reader_of(t);
    to_memory(o.address, o.size, value);
    const MemoryOrder order = order_of(o.order);
    l.atomic->store(view(t), value, order, stack_tag(t, o.pc), memory->sc, results->rules);
    return releases(order);
  });
}

bool atomic_modify(const Operation& o, Operate operate, void* context, std::uint64_t& old) {
  return on_atomic(o, true, [&](ThreadState& t, Location& l) {
    (void)reader_of(t);
    old = operate(context);
    const Value now = in_memory(o.address, o.size);
    const MemoryOrder order = order_of(o.order);
    l.atomic->modify(view(t), order, stack_tag(t, o.pc), memory->sc, results->rules,
                     [&](Value) { return now; });
    return releases(order);
  });
}

bool atomic_compare_exchange(const Operation& o, int failure, std::uint64_t& expected,
                             std::uint64_t desired, bool& done) {
  return on_atomic(o, true, [&](ThreadState& t, Location& l) {
    Chooser chooser = chooser_for(t);
    const MemoryOrder order = order_of(o.order);
    const std::uint32_t latest_tag = l.atomic->latest().tag;
    const Value latest = l.atomic->latest().value;
    Choice c;
    done = l.atomic->compare_exchange(view(t), expected, desired, order, order_of(failure),
                                      stack_tag(t, o.pc), memory->sc, chooser, results->rules, c);
    if (done) {
      to_memory(o.address, o.size, desired);
    } else if (c.stale) {
      note_stale(t, l, c, latest, (*l.atomic)[c.entry].tag, latest_tag, o.pc);
    }
    return done && releases(order);
  });
}

void seq_cst_fence(ThreadState& t) {
  const Locked guard(lock);
  if (enabled) memory->sc.fence(t.clock);
}

void lock_for_fork() {
  lock.lock();
}
void unlock_after_fork() {
  lock.unlock();
}

}  // namespace steward::rt::jumble
