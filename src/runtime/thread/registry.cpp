#include "runtime/thread/registry.h"

#include <cstring>
#include <limits.h>
#include <link.h>
#include <pthread.h>

#include "runtime/history/stack_depot.h"
#include "runtime/jumble/tool.h"
#include "runtime/lockset/discipline.h"
#include "runtime/mem/small_blocks.h"
#include "runtime/options.h"
#include "runtime/record/record_file.h"
#include "runtime/sample/census.h"
#include "runtime/sample/period.h"
#include "runtime/sample/sampler.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"
#include "runtime/sync/lock_set.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/registry_inside.h"
#include "runtime/thread/runtime_scope.h"
#include "runtime/trace/tool.h"

namespace steward::rt {

namespace {
alignas(ThreadState) unsigned char no_thread_storage[sizeof(ThreadState)];
alignas(ThreadState) unsigned char gone_thread_storage[sizeof(ThreadState)];
}  // namespace
// Of a thread that has ended libc may still free what it had for it.
ThreadState* const gone_thread = reinterpret_cast<ThreadState*>(gone_thread_storage);
ThreadState* const no_thread = reinterpret_cast<ThreadState*>(no_thread_storage);
__thread ThreadState* current = reinterpret_cast<ThreadState*>(no_thread_storage);
#define EXPORTED_WORD __attribute__((visibility("default"))) __thread std::uint64_t
EXPORTED_WORD __steward_word = ~std::uint64_t{0};
EXPORTED_WORD __steward_read_word = ~std::uint64_t{0};
EXPORTED_WORD __steward_crowd_word = ~std::uint64_t{0};
EXPORTED_WORD __steward_instructions = 0;
EXPORTED_WORD __steward_work = 0;

SpinLock registry_lock;
Placed<Registry> registry;

namespace {

constexpr unsigned kMaxThreads = 1 << 22;
constexpr unsigned kMaxNames = 1 << 20;  // later ones are not kept
constexpr unsigned kFrames = 1 << 16;    // deeper calls are not shown
KernelPages pages;
SharedPages thread_pages;
std::atomic<bool> is_started{false};
pthread_key_t exit_key;
std::size_t static_tls = 0;

ThreadState* take_state() {
  ThreadState* t = registry->free_states;
  if (t != nullptr) {
    registry->free_states = t->next_free;
    const ThreadFields last = *t;
    static_cast<ThreadFields&>(*t) = {};
    t->base = last.base;
    t->limit = last.limit;
    t->index = last.index;
    for (LiveClock* c : {&t->clock, &t->acquire_fence, &t->release_fence}) c->clear();
    if constexpr (kTraces) t->stream = {};
#if STEWARD_SAMPLES
    t->versions.clear();
#endif
#if STEWARD_BURSTS
    t->bursts.clear();
    t->draws = 0;
#endif
#if STEWARD_LOCKSET
    t->lockset.renew();
#endif
  } else {
    t = new (sys::map(sizeof(ThreadState))) ThreadState(thread_pages, SharedPages::kFirstChunk);
    t->base = static_cast<Frame*>(sys::map(kFrames * sizeof(Frame)));
    t->limit = t->base + kFrames;
    t->index = owner::give_index(*t);
  }
  t->top = t->base;
  t->low = t->base;
  t->floor = t->base;
  return t;
}

// May a thread with this clock go on where the slot's last owner ended? What was released in the
// slot must come before: all of it, since with PACER a version stands for every earlier one.
bool can_follow(const ThreadState& t, Slot s, Clock last) {
  if (no_order_matters()) return true;
  if (!t.clock.covers(Epoch{s, last})) return false;
#if STEWARD_SAMPLES
  if (!t.clock.covers(registry->finals[raw(s)].clock)) return false;
#endif
  return true;
}

// Has nothing been recorded in the slot since that clock? Then nobody will ask whose it was.
bool left_nothing([[maybe_unused]] Slot s, [[maybe_unused]] Clock from) {
#if STEWARD_SAMPLES
  return registry->sampled[raw(s)] < from;
#else
  return false;
#endif
}

// Under the lock. The child's clock already holds what it starts with.
void enter_slot(ThreadState& t) {
  if constexpr (kTraces) {
    // Nobody has a clock; the slot is a number for what counts threads (intercept/barrier.cpp). No
    // cell looks like the word: code with inline checks calls the hook for every access.
    t.set_epoch(Epoch{Slot{t.info->id % kMaxSlots}, 1});
    t.word = ~std::uint64_t{0};
    return;
  }
  const auto opened = registry->slots.open(
      ThreadId{t.info->id}, [&](Slot s, Clock last) { return can_follow(t, s, last); },
      [](Slot s, Clock from) { return left_nothing(s, from); });
  if (opened.forced) ++(opened.first == 0 ? registry->stats.unchecked : registry->stats.forced);
  {
#if STEWARD_SAMPLES
    const Locked guard(t.clock_lock);
    t.versions.set(opened.slot, registry->finals[raw(opened.slot)].version + 1);
    t.equals.clear();
#endif
    t.clock.set(opened.slot, opened.first == 0 ? t.clock[opened.slot] : opened.first);
  }
  t.set_epoch(Epoch{opened.slot, opened.first});  // 0@...: this thread is not checked
  if (opened.first == 0) t.word = ~std::uint64_t{0};
}

// Under the lock. The thread, or what it does next, is no longer in this slot.
void leave_slot(const ThreadState& t, Epoch last) {
  if constexpr (kTraces) return;
  registry->slots.close(last.slot(), last.clock());
#if STEWARD_SAMPLES
  if (t.sampling) registry->note_sampled(last);
  Registry::Final& f = registry->finals[raw(last.slot())];
  f.clock.share(t.clock);
  f.version = t.versions[last.slot()];
#else
  (void)t;
#endif
}

ThreadState* new_thread(std::uint32_t parent, StackId created) {
  if (registry->count == kMaxThreads) sys::die("more than four million threads");
  ThreadState* t = take_state();
  const std::uint32_t id = registry->count++;
  ++registry->stats.threads;
  t->info = &registry->infos[id];
  *t->info = ThreadInfo{};
  t->info->id = id;
  t->info->parent = parent;
  t->info->created = created;
  registry->states.get(id) = t;
  t->older = registry->youngest;
  if (t->older != nullptr) t->older->younger = t;
  registry->youngest = t;
  t->history.start(options().history_log2);
  if constexpr (kSamples) t->sampling = false;  // until it adopts the period
  return t;
}

void recycle(ThreadState* t) {
  registry->states.erase(t->info->id);
  (t->younger != nullptr ? t->younger->older : registry->youngest) = t->older;
  if (t->older != nullptr) t->older->younger = t->younger;
  t->next_free = registry->free_states;
  registry->free_states = t;
}

// Under the lock: nobody will join this state or act in it any more. Its history stays a while.
void bury(ThreadState* t) {
  Registry& r = *registry;
  if (t->history.is_empty()) return recycle(t);
  while (r.dead_end - r.dead_begin == kKeptDead ||
         (r.dead_begin != r.dead_end && r.dead_bytes + t->history.bytes() > 2 * kKeptBytes) ||
         (r.dead_begin != r.dead_end && r.dead_bytes > kKeptBytes)) {
    r.forget_oldest_dead();
  }
  Registry::Dead& d = r.dead[r.dead_end++ % kKeptDead];
  d.id = t->info->id;
  d.history.inherit(t->history, r.pool);
  r.dead_bytes += d.history.bytes();
  recycle(t);
}

void on_exit(void* p) {
  auto* t = static_cast<ThreadState*>(p);
  // Destructors of other keys may run after ours, and act: wait for the last round.
  if (--t->exit_rounds > 0) {
    pthread_setspecific(exit_key, t);
    return;
  }
  {
    const RuntimeScope scope(*current);  // a fork in a signal's handler would wait for its locks
    small::leave_thread();
  }
  end_thread(*t);
}

// The last key there is: destructors run in the order of keys, and ours must see the others
// through.
void make_exit_key() {
  pthread_key_t keys[PTHREAD_KEYS_MAX];
  unsigned n = 0;
  while (n < PTHREAD_KEYS_MAX && pthread_key_create(&keys[n], on_exit) == 0) ++n;
  if (n == 0) sys::die("no thread-specific key is left");
  exit_key = keys[--n];
  while (n > 0) pthread_key_delete(keys[--n]);
}

int add_tls(dl_phdr_info* info, std::size_t, void* sum) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) {
      *static_cast<std::size_t*>(sum) += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
    }
  }
  return 0;
}

void become(ThreadState& t) {
  current = &t;
  show(t);
}

#if STEWARD_SAMPLES
void keep_counts(ThreadState& t) {
  registry->work_done += t.work;
  t.work = 0;
  add_counts(registry->rules, t);
  std::memset(t.rules, 0, sizeof t.rules);
}
#elif STEWARD_BURSTS
void add_executions(RegistryStats& to, const ThreadState& t) {
  for (unsigned i = 0; i < 2; ++i) to.executions[i] += t.executions[i];
}
void keep_counts(ThreadState& t) {
  add_executions(registry->stats, t);
  std::memset(t.executions, 0, sizeof t.executions);
}
#elif STEWARD_LOCKSET
void keep_counts(ThreadState& t) {
  registry->stats.lockset += t.lockset.counts;
  t.lockset.counts = {};
}
#else
void keep_counts(ThreadState&) {}
#endif

ThreadMemory find_extent() {
  ThreadMemory e;
  pthread_attr_t attr;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return e;
  void* begin = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attr, &begin, &size);
  pthread_attr_destroy(&attr);
  e.stack_begin = reinterpret_cast<uptr>(begin);
  e.stack_end = e.stack_begin + size;
  e.tls_end = reinterpret_cast<uptr>(pthread_self());
  e.tls_begin = e.tls_end - static_tls;
  return e;
}

}  // namespace

bool started() {
  return is_started.load(std::memory_order_acquire);
}

void start_runtime() {
  static SpinLock starting;
  if (started()) return;
  const Locked guard(starting);
  if (started()) return;
  map_shadow(&layout);  // we are one
  owner::start();
  small::start();
  for (ThreadState* t : {no_thread, gone_thread}) {
    new (t) ThreadState(pages);
    t->word = ~std::uint64_t{0};
    t->index = owner::kNever;
    t->base = static_cast<Frame*>(sys::map(kFrames * sizeof(Frame)));
    t->top = t->base;
    t->limit = t->base;  // keeps no frames
    t->low = t->floor = t->base;
  }
  registry.make(pages);
#if STEWARD_SAMPLES
  // An empty one is all zeros, as are the others below.
  registry->finals = static_cast<Registry::Final*>(sys::map(kMaxSlots * sizeof(Registry::Final)));
#endif
  registry->dead = static_cast<Registry::Dead*>(sys::map(kKeptDead * sizeof(Registry::Dead)));
  registry->infos = static_cast<ThreadInfo*>(sys::map(kMaxThreads * sizeof(ThreadInfo)));
  registry->names = static_cast<Registry::Name*>(sys::map(kMaxNames * sizeof(Registry::Name)));
  map_locks();
  read_options();
  if constexpr (kLockset) discipline::start();
  if constexpr (kSamples) start_sampling();
  open_records();
  if constexpr (kTraces) trace::start();
  dl_iterate_phdr(add_tls, &static_tls);
  static_tls += 4096;
  make_exit_key();
  ThreadState* main = new_thread(0, StackId::None);
  enter_slot(*main);
  is_started.store(true, std::memory_order_release);
  enter_thread(*main);
}

ThreadState& self() {
  if (current == no_thread && started()) {
    ThreadState* t;
    {
      const Locked guard(registry_lock);
      t = new_thread(0, StackId::None);
      enter_slot(*t);
    }
    if constexpr (kLockset) discipline::second_thread();
    enter_thread(*t);
  }
  return *current;
}

ThreadState* make_child(ThreadState& parent, uptr pc) {
  const RuntimeScope scope(parent);
  if constexpr (kSamples) second_thread();
  if constexpr (kLockset) discipline::second_thread();
  note_work(parent);
  const StackId created = keep_stack(unwound_stack(parent, pc));
  const std::uint32_t id = parent.info != nullptr ? parent.info->id : 0;
  ThreadState* child;
  {
    const Locked guard(registry_lock);
    child = new_thread(id, created);
#if STEWARD_SAMPLES
    child->clock.share(parent.clock);
    child->versions.copy(parent.versions);  // what the parent has received, the child has
#else
    child->clock.copy(parent.clock);
#endif
    enter_slot(*child);
    ++registry->starting;
  }
  if constexpr (kTraces) {
    trace::event(parent, trace::Op::Fork, {.address = child->info->id, .pc = pc});
  }
  increment(parent);
  return child;
}

void enter_thread(ThreadState& child) {
  become(child);
  if constexpr (kSamples) {
    child.stack_of = activation.load(std::memory_order_relaxed);  // empty, and that is right
    child.history_of = oblivion.load(std::memory_order_relaxed);
    adopt(child);
  }
  child.info->os_id = sys::tid();
  child.exit_rounds = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS
  const RuntimeScope scope(child);
  {
    const Locked guard(registry_lock);
    child.pthread = pthread_self();
    child.shown = &__steward_word;
    if (!child.detached) registry->handles.get(child.pthread) = &child;
    if (child.start_function != nullptr) --registry->starting;
  }
  pthread_setspecific(exit_key, &child);
  ++child.ignore_accesses;
  const ThreadMemory extent = find_extent();
  --child.ignore_accesses;
  {
    const Locked guard(registry_lock);
    child.extent = extent;
  }
  if constexpr (kTraces) {
    trace::open_stream(child);
    const std::size_t stack = extent.stack_end - extent.stack_begin;
    if (stack != 0) {
      trace::event(child, trace::Op::Stack, {.address = extent.stack_begin, .size = stack});
    }
  }
  if (child.info->id == 0) return;
  // libc maps stacks where it likes, also where blocks were freed before.
  if (!kTraces && extent.is_stack(reinterpret_cast<uptr>(__builtin_frame_address(0)))) {
    clear_cells(extent.stack_begin, extent.stack_end - extent.stack_begin);
  }
}

void note_handle(std::uint32_t id, uptr pthread) {
  const Locked guard(registry_lock);
  ThreadState* t = registry->state_of(id);
  if (t == nullptr || t->detached) return;
  t->pthread = pthread;
  registry->handles.get(pthread) = t;
}

void abandon_child(ThreadState& child) {
  const Locked guard(registry_lock);
  --registry->starting;
  leave_slot(child, child.latest());
  recycle(&child);
}

void end_thread(ThreadState& t) {
  {
    const RuntimeScope scope(t);
    const ThreadMemory& extent = t.extent;
    if (extent.stack_end > extent.stack_begin) {
      uptr begin = extent.stack_begin;
      if constexpr (kTraces) {
        // No further down than calls have reached, and the last one's own frame.
        constexpr uptr kFrame = 64 * 1024;
        if (t.stream.lowest - kFrame > begin && t.stream.lowest < extent.stack_end) {
          begin = (t.stream.lowest - kFrame) & ~uptr{4095};
        }
      }
      clear_cells(begin, extent.stack_end - begin);
    }
    if constexpr (kLockset) discipline::forget_stack(t, ~uptr{0});
  }
  // A robust mutex held to the end passes to the next owner.
  for (std::uint32_t i = 0; i < t.held_count; ++i) release_held(t, t.held[i]);
  if constexpr (kTraces) {
    if (current != &t) switch_fiber(t);
    trace::event(t, trace::Op::ThreadEnd, {});
    trace::close_stream(t);
  }
  become(*gone_thread);
  const Locked guard(registry_lock);
  t.ended = true;
  t.shown = nullptr;
  if (t.epoch != 0) leave_slot(t, t.latest());
  t.work += __steward_work;
  keep_counts(t);
  if (t.detached) bury(&t);
}

ThreadState* find_by_handle(uptr pthread) {
  for (;;) {
    {
      const Locked guard(registry_lock);
      ThreadState** found = registry->handles.find(pthread);
      if (found != nullptr) return *found;
      if (registry->starting == 0) return nullptr;
    }
    sys::yield();
  }
}

void join_thread(ThreadState& t, ThreadState& child) {
  const RuntimeScope scope(t);
  note_work(t);
  if constexpr (kTraces) trace::event(t, trace::Op::Join, {.address = child.info->id});
  join_clock(t, child.clock);
  t.received(child.name());
  const Locked guard(registry_lock);
  t.joining = nullptr;
  ThreadState** found = registry->handles.find(child.pthread);
  if (found != nullptr && *found == &child) registry->handles.erase(child.pthread);
  bury(&child);
}

void detach_thread(ThreadState& child) {
  const Locked guard(registry_lock);
  child.detached = true;
  registry->handles.erase(child.pthread);
  if (child.ended) bury(&child);
}

ThreadState* make_fiber(ThreadState& creator, uptr pc) {
  ThreadState* fiber = make_child(creator, pc);
  const Locked guard(registry_lock);
  --registry->starting;  // it has no handle
  if constexpr (kSamples) {
    fiber->stack_of = activation.load(std::memory_order_relaxed);
    fiber->history_of = oblivion.load(std::memory_order_relaxed);
  }
  return fiber;
}
void switch_fiber(ThreadState& to) {
  if constexpr (kTraces) trace::pass_stream(*current, to);
  become(to);
  if constexpr (kSamples) adopt(to);
}
void end_fiber(ThreadState& fiber) {
  const Locked guard(registry_lock);
  fiber.ended = true;
  if (fiber.epoch != 0) leave_slot(fiber, fiber.latest());
  keep_counts(fiber);
  bury(&fiber);
}

void name_thread(ThreadState& t, const char* name) {
  if (t.info == nullptr) return;
  const RuntimeScope scope(*current);
  const Locked guard(registry_lock);
  if (t.info->name == 0) {
    if (registry->name_count == kMaxNames) return;
    t.info->name = registry->name_count++;
  }
  Registry::Name& kept = registry->names[t.info->name];
  unsigned i = 0;
  for (; name[i] != '\0' && i + 1 < sizeof kept.text; ++i) kept.text[i] = name[i];
  kept.text[i] = '\0';
#if STEWARD_LOCKSET
  t.lockset.is_excluded = discipline::is_excluded_name(kept.text);
#endif
}

const char* name_of(const ThreadInfo& info) {
  return registry->names[info.name].text;
}

Clock told_clock(Slot s) {
  const Locked guard(registry_lock);
  if (raw(s) >= registry->slots.size()) return 0;
  const ThreadState* t = registry->state_of(raw(registry->slots.owner(Epoch{s, kClockLimit})));
  if (t != nullptr && !t->ended) {
    const Epoch now = unpack(__atomic_load_n(&t->epoch, __ATOMIC_RELAXED));
#if STEWARD_SAMPLES
    if (now.slot() == s && !t->sampling) return now.clock();  // it stands still: all of it is told
#endif
    if (now.slot() == s) return now.clock() - 1;
  }
  return registry->slots.last(s);
}

void increment(ThreadState& t) {
  if (t.epoch == 0 || kTraces) return;
  const Epoch now = t.latest();
  if (kSamples && !t.sampling) return tally(t, pacer::OrderRule::IncrementTimeless);
  tally(t, pacer::OrderRule::Increment);
  if (now.clock() < kClockLimit) {
    const Epoch next{now.slot(), now.clock() + 1};
    {
#if STEWARD_SAMPLES
      const Locked guard(t.clock_lock);
      t.next_version();
#endif
      t.clock.set(next.slot(), next.clock());
    }
    t.set_epoch(next);
    if (&t == current) show(t);
    if constexpr (jumble::kEnabled) jumble::released(t);
    return;
  }
  const RuntimeScope scope(t);
  const Locked guard(registry_lock);
  ++registry->stats.migrated;
  // Its own clock goes on; what the slot's next owner must have is what it is now.
#if STEWARD_SAMPLES
  registry->finals[raw(now.slot())].clock.share(t.clock);
  registry->finals[raw(now.slot())].version = t.versions[now.slot()];
  registry->note_sampled(now);
#endif
  enter_slot(t);
  if (&t == current) show(t);
  registry->slots.close(now.slot(), now.clock());
}

ThreadInfo* owner_of(Epoch30 e) {
  const Locked guard(registry_lock);
  return &registry->infos[raw(registry->slots.owner(unpack(e)))];
}

bool restore_access(Epoch30 e, AccessKind kind, uptr a, std::size_t size, Restored& out) {
  const Locked guard(registry_lock);
  const std::uint32_t id = raw(registry->slots.owner(unpack(e)));
  if (const ThreadState* t = registry->state_of(id))
    return t->history.restore(e, kind, a, size, out);
  for (unsigned i = registry->dead_end; i != registry->dead_begin; --i) {
    const Registry::Dead& d = registry->dead[(i - 1) % kKeptDead];
    if (d.id == id) return d.history.restore(e, kind, a, size, out);
  }
  return false;
}

ThreadInfo* info_of(std::uint32_t id) {
  return &registry->infos[id];
}

bool thread_with_stack(uptr a, Resident& out) {
  const Locked guard(registry_lock);
  for (const ThreadState* t = registry->youngest; t != nullptr; t = t->older) {
    if (t->ended || (!t->extent.is_tls(a) && !t->extent.is_stack(a))) continue;
    out = {t->info->id, t->extent.is_tls(a), t->extent};
    return true;
  }
  return false;
}

bool find_extent(std::uint32_t id, ThreadMemory& out) {
  const Locked guard(registry_lock);
  const ThreadState* t = registry->state_of(id);
  if (t == nullptr || t->ended) return false;
  out = t->extent;
  return true;
}

RegistryStats registry_stats() {
  const Locked guard(registry_lock);
  RegistryStats s = registry->stats;
  s.slots = registry->slots.size();
#if STEWARD_BURSTS
  registry->states.for_each(  // those that have not ended
      [&](std::uint32_t, const ThreadState* t) { add_executions(s, *t); });
#elif STEWARD_LOCKSET
  registry->states.for_each(
      [&](std::uint32_t, const ThreadState* t) { s.lockset += t->lockset.counts; });
#endif
  return s;
}

void for_each_live_thread(void (*f)(std::uint32_t id, void* context), void* context) {
  const Locked guard(registry_lock);
  for_living([&](const ThreadState& t) { f(t.info->id, context); });
}

Slot reserve_slot() {
  const Locked guard(registry_lock);
  return registry->slots.open(ThreadId{0}, [](Slot, Clock) { return false; }).slot;
}

void lock_thread_memory_for_fork() {
  thread_pages.lock_for_fork();
}
void unlock_thread_memory_after_fork() {
  thread_pages.unlock_after_fork();
}
void lock_registry_for_fork() {
  registry_lock.lock();
}
void unlock_registry_after_fork(bool child) {
  if (child) {
    registry->starting = 0;
    // Only the forking thread lives on, and this memory is its own: all that was done comes before.
    // What the others held, they hold for ever.
    for (std::uint32_t id = 0; id < registry->count; ++id) {
      ThreadState* t = registry->state_of(id);
      if (t != nullptr) t->history.unlock_after_fork();
      if (t != nullptr && t != current && t->alone_at != 0) owner::leave_alone(*t);
      if (t != nullptr && t != current && !t->ended) {
        t->ended = true;
        t->shown = nullptr;
        if (t->epoch != 0) leave_slot(*t, t->latest());
      }
      registry->infos[id].recorded = false;  // not yet in the child's file
    }
    for (std::uint32_t i = 0; !kTraces && current->epoch != 0 && i < registry->slots.size(); ++i) {
      const Epoch last{Slot{i}, registry->slots.last(Slot{i})};
      if (!current->covers(last)) current->clock.set(last.slot(), last.clock());
    }
    if (current->info != nullptr) current->info->os_id = sys::tid();
  }
  registry_lock.unlock();
}

}  // namespace steward::rt
