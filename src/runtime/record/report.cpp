#include "runtime/record/report.h"

#include "runtime/history/moves.h"
#include "runtime/history/stack_depot.h"
#include "runtime/intercept/finish.h"
#include "runtime/lockset/discipline.h"
#include "runtime/mem/heap_block.h"
#include "runtime/options.h"
#include "runtime/record/benign.h"
#include "runtime/record/record_file.h"
#include "runtime/sample/period.h"
#include "runtime/sample/sampler.h"
#include "runtime/sync/lock_set.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/registry.h"
#include "runtime/thread/runtime_scope.h"

extern "C" void __tsan_on_report(void* report);  // abi/interface.cpp, or the program

namespace steward::rt {
namespace {

// All below is guarded by the records' lock, but for the counters, which are atomic.
std::uint64_t reported = 0;
std::uint64_t restored = 0;
std::uint64_t lost = 0;

// Not symmetric: a thing mixed with itself must not vanish.
std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = ((h << 23 | h >> 41) + v) * 0x9e37'79b9'7f4a'7c15u;
  return h ^ h >> 31;
}
std::uint64_t hash_of(const Stack& s) {
  std::uint64_t h = s.size;
  for (unsigned i = 0; i < s.size; ++i) h = mix(h, s.pcs[i]);
  return h;
}

// A set of hashes of fixed size; when full, everything is "seen".
class Seen {
 public:
  bool insert(std::uint64_t h) {  // true: new
    if (h == 0) h = 1;
    for (std::uint64_t i = h; count_ < kSize / 2; ++i) {
      std::uint64_t& slot = slots_[i % kSize];
      if (slot == h) return false;
      if (slot == 0) {
        slot = h;
        ++count_;
        return true;
      }
    }
    return false;
  }
  void clear() {
    for (std::uint64_t& slot : slots_) slot = 0;
    count_ = 0;
  }

 private:
  static constexpr std::uint64_t kSize = 1 << 16;
  std::uint64_t slots_[kSize] = {};
  std::uint64_t count_ = 0;
};
Seen pairs;
Seen messages;

// How often the same place raced, by hash: read without a lock. After many times with nothing new,
// only every so often is it looked at again; to look is to search a history.
struct Place {
  std::uint32_t tried;
  std::uint32_t fresh;  // `tried` when a new pair was last found

  bool worth_a_look(std::uint32_t patience) {
    const std::uint32_t n = __atomic_add_fetch(&tried, 1, __ATOMIC_RELAXED);
    const std::uint32_t stale = n - __atomic_load_n(&fresh, __ATOMIC_RELAXED);
    return stale < patience || (stale & (stale - 1)) == 0;
  }
  void note_new() {
    __atomic_store_n(&fresh, __atomic_load_n(&tried, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  }
};
constexpr unsigned kPlaces = 1 << 14;
Place by_thread[kPlaces];  // of an instruction with another thread
Place by_epoch[kPlaces];   // ... with one epoch of it
// The lockset tool's findings are told apart by fewer things, and each field has one.
constexpr std::uint32_t kPatience = kLockset ? 4 : 32, kPatienceWithThread = kLockset ? 32 : 1024;

Place& place_of(Place* places, uptr pc, AccessKind kind, Epoch30 earlier, AccessKind earlier_kind) {
  const std::uint64_t h =
      mix(mix(pc, earlier), static_cast<unsigned>(kind) * 4 + static_cast<unsigned>(earlier_kind));
  return places[h % kPlaces];
}

void write_thread(std::uint32_t id) {
  ThreadInfo& info = *info_of(id);
  if (info.recorded) return;
  info.recorded = true;
  if (id != 0) write_thread(info.parent);
  const Stack created = kept_stack(info.created);
  Line& l = Line::begin();
  l.text(R"({"type":"thread","id":)").number(id).text(R"(,"os":)");
  l.number(static_cast<std::uint64_t>(info.os_id)).text(R"(,"name":)").quoted(name_of(info));
  l.text(R"(,"parent":)").number(info.parent).text(R"(,"stack":)").stack(created).text("}").write();
}

const char* key_of(AccessKind kind) {
  return name(kind);
}

void put_access(Line& l, AccessKind kind, uptr a, std::size_t size, std::uint32_t thread,
                const Stack& stack, bool is_lost) {
  l.text(R"({"kind":)").quoted(key_of(kind)).text(R"(,"address":)").hex(a).text(R"(,"size":)");
  l.number(size).text(R"(,"thread":)").number(thread).text(R"(,"stack":)").stack(stack);
  if (is_lost) l.text(R"(,"stack_lost":true)");
}

void put_memory(Line& l, uptr a) {
  l.text(R"(,"memory":{)");
  HeapBlock block;
  Resident owner;
  if (find_block(a, block)) {
    l.text(R"("kind":"heap","begin":)").hex(block.begin).text(R"(,"size":)").number(block.size);
    l.text(R"(,"thread":)").number(block.thread).text(R"(,"stack":)");
    l.stack(kept_stack(block.allocated));
  } else if (thread_with_stack(a, owner)) {
    l.text(owner.is_tls ? R"("kind":"tls","thread":)" : R"("kind":"stack","thread":)");
    l.number(owner.thread);
  } else if (is_global(a)) {
    l.text(R"("kind":"global")");
  } else {
    l.text(R"("kind":"unknown")");
  }
  l.text("}");
}

// Ids of locks that two threads held, each once.
struct LockIds {
  std::uint32_t count = 0;
  std::uint32_t ids[2 * ThreadFields::kMaxHeld + BrokenDiscipline::Locks::kMax];
  void add(std::uint32_t id) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (ids[i] == id) return;
    }
    ids[count++] = id;
  }
};

void put_ids(Line& l, const std::uint32_t* ids, std::uint32_t count) {
  l.text(R"(,"locks":[)");
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != 0) l.text(",");
    l.number(ids[i]);
  }
  l.text("]}");
}

void put_locks(Line& l, const LockIds& locks) {
  l.text(R"(,"locks":[)");
  for (std::uint32_t i = 0; i < locks.count; ++i) {
    const LockInfo& lock = lock_info(locks.ids[i]);
    if (i != 0) l.text(",");
    l.text(R"({"id":)").number(locks.ids[i]).text(R"(,"address":)").hex(lock.address);
    l.text(R"(,"kind":)").quoted(name(lock.kind)).text(R"(,"stack":)");
    l.stack(kept_stack(lock.created)).text("}");
  }
  l.text("]");
}

void put_discipline(Line& l, const BrokenDiscipline& b) {
  const auto ids = [&](const char* key, const BrokenDiscipline::Locks& locks) {
    l.text(",").quoted(key).text(":[");
    for (unsigned i = 0; i < locks.count; ++i) {
      if (i != 0) l.text(",");
      l.number(locks.list[i]);
    }
    l.text("]");
  };
  l.text(R"(,"lockset":{"ordered":)").text(b.ordered ? "true" : "false");
  ids("later", b.later);
  ids("earlier", b.earlier);
  ids("common", b.common);
  l.text("}");
}

// `broken`: of the lockset tool; null if it is a race.
uptr report(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
            const LiveConflict& c, const BrokenDiscipline* broken) {
  if (is_atomic(kind) && is_atomic(c.kind)) return 0;
  if (!options().report_atomic_races && (is_atomic(kind) || is_atomic(c.kind))) return 0;
  if (is_benign(c.address, c.size)) return 0;
  Place& with_thread = place_of(by_thread, pc, kind, c.epoch >> kClockBits, c.kind);
  Place& with_epoch = place_of(by_epoch, pc, kind, c.epoch, c.kind);
  if (!with_thread.worth_a_look(kPatienceWithThread) || !with_epoch.worth_a_look(kPatience)) {
    return 0;
  }

  const RuntimeScope scope(t);
  ++t.ignore_accesses;
  ++t.ignore_sync;
  if constexpr (kSamples) name_locks(t);
  const Stack now = stack_is_known(t) ? stack_of(t, pc) : unwound_stack(t, pc);
  const ThreadInfo& owner = *owner_of(c.epoch);
  Restored earlier;
  bool found = restore_access(c.epoch, c.kind, c.address, c.size, earlier);
  // The object has moved since: the history has it under the address it had then.
  for (MovedFrom before(c.address); !found && before.next();) {
    found = restore_access(c.epoch, c.kind, before.address(), c.size, earlier);
    earlier.end = 0;
  }
  bool is_new = false;
  {
    const Locked guard(records_lock());
    // A discipline is broken by two places in the code, however deep the calls are that lead there:
    // a tree that is taken apart after the join would be a finding for each path through it.
    const auto key = [&](const Stack& s) {
      return broken == nullptr ? hash_of(s) : s.size != 0 ? s.pcs[0] : 0;
    };
    if (pairs.insert(mix(mix(key(now), key(earlier.stack)),
                         static_cast<unsigned>(kind) * 4 + static_cast<unsigned>(c.kind)))) {
      with_thread.note_new();
      with_epoch.note_new();
      is_new = true;
      ++reported;
      ++(found ? restored : lost);
      write_modules();
      write_thread(t.info->id);
      write_thread(owner.id);
      HeapBlock block;
      if (find_block(c.address, block)) write_thread(block.thread);
      Line& l = Line::begin();
      l.text(R"({"type":"race","address":)").hex(c.address).text(R"(,"size":)").number(c.size);
      l.text(R"(,"accesses":[)");
      put_access(l, kind, a, size, t.info->id, now, false);
      LockIds locks;
      for (std::uint32_t i = 0; i < t.held_count; ++i) locks.add(t.held[i].id);
      put_ids(l, locks.ids, locks.count);
      l.text(",");
      put_access(l, c.kind, c.address, c.size, owner.id, earlier.stack, !found);
      put_ids(l, earlier.held, earlier.held_count);
      l.text("]");
      put_memory(l, c.address);
      for (std::uint32_t i = 0; i < earlier.held_count; ++i) locks.add(earlier.held[i]);
      if (broken != nullptr) {
        put_discipline(l, *broken);
        for (const auto* set : {&broken->later, &broken->earlier, &broken->common}) {
          for (unsigned i = 0; i < set->count; ++i) {
            if (set->list[i] != 0) locks.add(set->list[i]);
          }
        }
      }
      put_locks(l, locks);
      l.text("}").write();
    }
  }
  if (is_new) __tsan_on_report(nullptr);
  --t.ignore_accesses;
  --t.ignore_sync;
  if (options().halt_on_error) {
    const int code = finish(0);
    sys::exit_now(code != 0 ? code : options().exitcode);
  }
  return found ? earlier.end : 0;
}

}  // namespace

uptr report_race(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                 const LiveConflict& c) {
  if constexpr (kLockset) return 0;  // its findings say themselves whether they race
  return report(t, kind, a, size, pc, c, nullptr);
}

void report_discipline(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc,
                       const LiveConflict& earlier, const BrokenDiscipline& broken) {
  report(t, kind, a, size, pc, earlier, &broken);
}

void message(ThreadState& t, const char* level, const char* text, uptr pc) {
  const RuntimeScope scope(t);
  const Stack stack = stack_of(t, pc);
  const Locked guard(records_lock());
  std::uint64_t h = 0;
  for (const char* s = text; *s != '\0'; ++s) h = mix(h, static_cast<unsigned char>(*s));
  if (!messages.insert(h)) return;
  write_modules();
  Line& l = Line::begin();
  l.text(R"({"type":"message","level":)").quoted(level).text(R"(,"text":)").quoted(text);
  l.text(R"(,"stack":)").stack(stack).text("}").write();
}

std::uint64_t races_reported() {
  return __atomic_load_n(&reported, __ATOMIC_RELAXED);
}

void forget_reports_after_fork() {
  reported = restored = lost = 0;
  pairs.clear();
  messages.clear();
  for (Place& p : by_thread) p = {};
  for (Place& p : by_epoch) p = {};
}

#if STEWARD_SAMPLES
// PACER's Table 3.
static void put_sampling(Line& l) {
  const SamplingStats s = sampling_stats();
  l.text(R"(,"sampling":{"rate_ppm":)").number(static_cast<std::uint64_t>(s.rate * 1e6));
  l.text(R"(,"periods":)").number(s.periods).text(R"(,"sampled_periods":)");
  l.number(s.sampled_periods).text(R"(,"work":)").number(s.work).text(R"(,"sampled_work":)");
  l.number(s.sampled_work).text(R"(,"activations":)").number(s.activations);
  static constexpr const char* kNames[kSpent] = {"off", "order_only", "checked", "sampled"};
  l.text(R"(,"spent_us":{)");
  for (unsigned i = 0; i < kSpent; ++i) {
    l.text(i != 0 ? "," : "").quoted(kNames[i]).text(":").number(s.spent_us[i]);
  }
  l.text(R"(},"rules":[)");
  for (unsigned r = 0; r < pacer::kOrderRules; ++r) {
    if (r != 0) l.text(",");
    l.text(R"({"name":)").quoted(name(static_cast<pacer::OrderRule>(r)));
    l.text(R"(,"sampling":)").number(s.rules[1][r]).text(R"(,"not_sampling":)");
    l.number(s.rules[0][r]).text("}");
  }
  l.text("]}");
}
#else
static void put_sampling(Line&) {}
#endif

// What the lockset tool could not see, and how much it looked at.
static void note_barriers(const discipline::Stats& s) {
  if (s.has_barriers || !s.is_shared) return;
  Line& l = Line::begin();
  l.text(R"({"type":"message","level":"note","text":)");
  if (options().lockset_barrier == Options::Barrier::Write) {
    l.quoted(
        "the program tells of no pointers that it stores, so that heap blocks escape only when "
        "another thread uses them; build it with 'steward c++ --lockset' for a write barrier");
  } else {
    l.quoted(
        "the program tells of no pointers that it reads: a thread is taken to have obtained one "
        "when it uses what it points to; build it with 'steward c++ --lockset' for a read "
        "barrier");
  }
  l.text(R"(,"stack":[]})").write();
}
static void put_lockset(Line& l, const discipline::Stats& s) {
  l.text(R"(,"lockset_accesses":)").number(s.accesses);
  l.text(R"(,"lockset_owned":)").number(s.owned).text(R"(,"lockset_checked":)").number(s.checked);
  l.text(R"(,"lockset_pointers":)").number(s.pointers);
  l.text(R"(,"lockset_objects":)").number(s.objects);
  l.text(R"(,"lockset_escaped":)").number(s.escaped);
  l.text(R"(,"lockset_sets":)").number(s.locksets).text(R"(,"lockset_bytes":)").number(s.bytes);
}

void write_end() {
  const RegistryStats s = registry_stats();
  discipline::Stats lockset{};
  if constexpr (kLockset) lockset = discipline::stats();
  const Locked guard(records_lock());
  if (records_are_ours() && reported == 0 && s.forced == 0 && s.unchecked == 0) return;
  if constexpr (kLockset) note_barriers(lockset);
  Line& l = Line::begin();
  l.text(R"({"type":"end","races":)").number(reported).text(R"(,"stats":{"threads":)");
  l.number(s.threads).text(R"(,"slots":)").number(s.slots).text(R"(,"slots_migrated":)");
  l.number(s.migrated).text(R"(,"slots_forced":)").number(s.forced);
  l.text(R"(,"threads_unchecked":)").number(s.unchecked).text(R"(,"stacks_restored":)");
  l.number(restored).text(R"(,"stacks_lost":)").number(lost);
  if constexpr (kBursts) {
    l.text(R"(,"executions_sampled":)").number(s.executions[1]);
    l.text(R"(,"executions_skipped":)").number(s.executions[0]);
  }
  if constexpr (kLockset) put_lockset(l, lockset);
  l.text("}");
  if constexpr (kSamples) put_sampling(l);
  l.text("}").write();
}

}  // namespace steward::rt
