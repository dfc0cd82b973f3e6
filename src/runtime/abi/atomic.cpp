// Atomic operations, with the memory orders that C++20 gives them. The operation, its place in the
// order of accesses and its synchronisation are one step under the stripe's lock, so that what is
// acquired is what the value read came from.
//
// A release store replaces the object's clock, since it heads a new release sequence; a
// read-modify-write continues the sequence it reads from. A relaxed store after a release fence
// publishes the fence's clock; a relaxed load keeps what it read for an acquire fence to come.
#include "runtime/abi/hook.h"
#include "runtime/jumble/tool.h"
#include "runtime/lockset/discipline.h"
#include "runtime/record/report.h"
#include "runtime/sample/period.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

using namespace steward::rt;
using steward::AccessKind;

namespace {

using a8 = std::uint8_t;
using a16 = std::uint16_t;
using a32 = std::uint32_t;
using a64 = std::uint64_t;
__extension__ typedef unsigned __int128 a128;

enum Order : int { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };

// gcc and clang pass __ATOMIC_*; bits above say more (hardware lock elision) and mean nothing here.
Order order_of(int mo) { return static_cast<Order>(mo & 0x7fff); }
bool acquires(Order o) { return o == Consume || o == Acquire || o == AcqRel || o == SeqCst; }
bool releases(Order o) { return o == Release || o == AcqRel || o == SeqCst; }

[[maybe_unused]] void acquire_from(ThreadState& t, SyncObject& s, Order o) {
  if (acquires(o)) return join_from(t, s);
  ++s.received;
  if (!t.has(s.last)) t.acquire_fence.join(s.clock);
}

// `continues`: a read-modify-write, part of the sequence it read from.
[[maybe_unused]] bool publish(ThreadState& t, LockedSide& side, uptr a, Order o, bool continues) {
  if (releases(o)) {
    SyncObject& s = sync_at(side, a);
    if (continues) {
      merge_to(s, t);
    } else {
      copy_to(s, t);
    }
    return true;
  }
  if (!t.release_fence_at.is_minimal()) {
    SyncObject& s = sync_at(side, a);
    if (!continues || s.last.is_minimal()) {
      s.clock.copy(t.release_fence);
      s.last = t.release_fence_at;
    } else {
      s.clock.join(t.release_fence);
      s.last = kMixed;
    }
  } else if (!continues) {
    if (SyncObject* s = find_sync(side, a)) {  // a relaxed store ends the sequence
      s->clock.clear();
      s->last = {};
    }
  }
  return false;
}

// What Side::recent holds for an access.
[[maybe_unused]] std::uint64_t recent_key(const ThreadState& t, uptr a, unsigned size, bool write) {
  return std::uint64_t{t.epoch} | (a & 7) << 32 | std::uint64_t{size} << 36 |
         std::uint64_t{write} << 42;
}
[[maybe_unused]] std::uint64_t& recent_of(Side& side, const ThreadState& t, bool write) {
  return side.recent[((t.epoch >> kClockBits) * 2 + (write ? 1 : 0)) % Side::kRecent];
}

// Without the lock: this thread has made such an access in this epoch, and there is nothing to
// acquire that it does not have. The value is read, or changed, before it is asked what there is to
// acquire; whoever publishes says so (kBusy) before the value can be seen. False: nothing was done,
// or `done` says that only the acquiring is left.
template <class Operate>
bool atomic_unlocked(ThreadState& t, uptr a, unsigned size, bool writes, bool reads, Order o,
                     bool& done, Operate operate) {
  const std::uint64_t* cell = &ShadowCell::of(a).write;
  const Word word(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  if (!word.is_side() || (writes && (releases(o) || !t.release_fence_at.is_minimal()))) return false;
  Side& side = *word.side<Side>();
  if (__atomic_load_n(&recent_of(side, t, writes), __ATOMIC_RELAXED) !=
      recent_key(t, a, size, writes)) {
    return false;
  }
  auto nothing_new = [&] {
    const std::uint64_t p = __atomic_load_n(&side.published, __ATOMIC_ACQUIRE);
    return p == 0 || (p != Side::kBusy && t.has(ReleaseName::from_word(p)));
  };
  if (writes && !reads) {  // a relaxed store ends a release sequence, if there is one to end
    if (__atomic_load_n(&side.published, __ATOMIC_ACQUIRE) != 0) return false;
  } else if (!nothing_new()) {
    return false;
  }
  if (__atomic_load_n(cell, __ATOMIC_ACQUIRE) != word.bits()) return false;
  operate();
  done = writes;
  return !reads || nothing_new();
}

// Runs `operate` as an atomic access of `t`. It may tell after the fact that it wrote nothing
// (a failed compare-exchange), and then with which order it read.
struct Outcome {
  bool wrote;
  Order order;
};
#if STEWARD_TRACES
// The operation and its place in the trace are one step under the granule's stripe, so that each
// location's operations are recorded in the order in which they happened.
template <class Operate>
void atomic(uptr a, unsigned size, bool reads, bool, int, uptr pc, Operate operate) {
  ThreadState& t = self();
  if (t.epoch == 0) {
    operate();
    return;
  }
  const RuntimeScope scope(t);
  trace::make_room(t);
  const Locked guard(stripe_of(a).lock);
  const Outcome did = operate();
  const trace::Op op = !did.wrote  ? trace::Op::AtomicLoad
                       : reads ? trace::Op::AtomicModify
                               : trace::Op::AtomicStore;
  trace::event(t, op, {.address = a, .size = size, .pc = pc, .order = did.order});
}
#else
// `outcome` is that of what was done before; else `operate` does it.
template <class Operate>
__attribute__((always_inline)) inline void atomic_on(ThreadState& t, uptr a, unsigned size,
                                                     bool reads, bool writes, int mo, uptr pc,
                                                     bool done, Outcome outcome, Operate operate) {
  const RuntimeScope scope(t);
  // An access that is not sampled leaves no trace, so others' checks do not stand for its own.
  const bool looks = t.ignore_accesses == 0 && in_burst(t);
  const bool checks = looks && (t.sampling || is_active());
  if (t.sampling && !done && atomic_unlocked(t, a, size, writes, reads, order_of(mo), done, operate)) {
    return;
  }
  LiveConflicts found;
  AccessKind kind;
  bool released = false;
  {
    LockedSide side(a);
    __atomic_store_n(&side->published, Side::kBusy, __ATOMIC_RELEASE);
    const Outcome did = done ? outcome : operate();
    kind = did.wrote ? AccessKind::AtomicWrite : AccessKind::AtomicRead;
    if (checks) {
      const unsigned room = 8 - static_cast<unsigned>(a & 7);
      if (t.sampling) t.history.note(t, kind, a, size, pc);
      check_side(t, kind, side, a, size < room ? size : room, found);
    }
    if (reads) {
      if (SyncObject* s = find_sync(side, a)) acquire_from(t, *s, did.order);
    }
    // What was done before the lock was had is not the last of the sequence for sure: it adds to it.
    if (did.wrote) released = publish(t, side, a, did.order, reads || done);
    if (found.count == 0 && checks && (a & 7) + size <= 8) {
      __atomic_store_n(&recent_of(*side, t, did.wrote), recent_key(t, a, size, did.wrote),
                       __ATOMIC_RELAXED);
    }
    note_published(side);
  }
  if ((a & 7) + size > 8 && checks) {  // 16 bytes: the second granule as well
    LockedSide side((a | 7) + 1);
    check_side(t, kind, side, (a | 7) + 1, size - (8 - static_cast<unsigned>(a & 7)), found);
  }
  if constexpr (kLockset) {
    if (checks) discipline::check(t, kind, a, size, pc);
  }
  if (released) increment(t);
  for (unsigned i = 0; i < found.count; ++i) report_race(t, kind, a, size, pc, found.list[i]);
}

// An operation that is not sampled (PACER), and would publish nothing, on a granule of which nothing
// is known: no access was sampled there, and nothing was released.
bool leaves_all([[maybe_unused]] const ThreadState& t, uptr a, unsigned size, bool writes, Order o) {
  if (!kSamples || t.sampling || (a & 7) + size > 8) return false;
  if (writes && (releases(o) || !t.release_fence_at.is_minimal())) return false;
  return __atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_ACQUIRE) == 0;
}

template <class Operate>
void atomic(uptr a, unsigned size, bool reads, bool writes, int mo, uptr pc, Operate operate) {
  ThreadState& t = self();
  if (t.epoch == 0 || t.ignore_sync != 0) {
    operate();
    return;
  }
  note_work(t);
  bool done = false;
  Outcome outcome{true, order_of(mo)};
  if (no_order_matters()) {
    outcome = operate();
    if (no_order_matters()) return;
    done = true;  // what it read may have been published since, and is acquired now
  } else if (leaves_all(t, a, size, writes, order_of(mo))) {
    // Without a lock, and without an object. Who publishes has made one before the value can be
    // seen, so that it is there if it was published.
    outcome = operate();
    if (__atomic_load_n(&ShadowCell::of(a).write, __ATOMIC_ACQUIRE) == 0) {
      if (reads) tally(t, steward::pacer::OrderRule::JoinSameVersionEpoch);
      return;
    }
    done = true;
  }
  atomic_on(t, a, size, reads, writes, mo, pc, done, outcome, operate);
}
#endif

// A word that was read, or is now there, may be a pointer.
template <class T>
void barriers([[maybe_unused]] const volatile T* p, [[maybe_unused]] T read,
              [[maybe_unused]] T written) {
  if constexpr (kLockset && sizeof(T) == sizeof(uptr)) {
    discipline::pointer_read(*current, read);
    discipline::pointer_written(*current, address(p), written);
  }
}

template <class T>
T load(const volatile T* p, int mo, uptr pc) {
  if constexpr (jumble::kEnabled) {
    if (std::uint64_t v; jumble::atomic_load({address(p), sizeof(T), mo, pc}, v)) {
      return static_cast<T>(v);
    }
  }
  T value{};
  atomic(address(p), sizeof(T), true, false, mo, pc, [&] {
    value = __atomic_load_n(const_cast<T*>(p), __ATOMIC_SEQ_CST);
    return Outcome{false, order_of(mo)};
  });
  barriers(p, value, T{});
  return value;
}
template <class T>
void store(volatile T* p, T v, int mo, uptr pc) {
  if constexpr (jumble::kEnabled) {
    if (jumble::atomic_store({address(p), sizeof(T), mo, pc}, v)) return;
  }
  atomic(address(p), sizeof(T), false, true, mo, pc, [&] {
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
    return Outcome{true, order_of(mo)};
  });
  barriers(p, T{}, v);
}
template <class T, class F>
T modify(volatile T* p, int mo, uptr pc, F f) {
  if constexpr (jumble::kEnabled && sizeof(T) <= 8) {
    const auto operate = [](void* with) -> std::uint64_t { return (*static_cast<F*>(with))(); };
    std::uint64_t before;
    if (jumble::atomic_modify({address(p), sizeof(T), mo, pc}, operate, &f, before)) {
      return static_cast<T>(before);
    }
  }
  T old{};
  atomic(address(p), sizeof(T), true, true, mo, pc, [&] {
    old = f();
    return Outcome{true, order_of(mo)};
  });
  if constexpr (sizeof(T) == sizeof(uptr)) barriers(p, old, T{*p});
  return old;
}
template <class T>
bool compare_exchange(volatile T* p, T* expected, T desired, int mo, int failure, uptr pc) {
  bool done = false;
  if constexpr (jumble::kEnabled) {
    std::uint64_t wanted = *expected;
    if (jumble::atomic_compare_exchange({address(p), sizeof(T), mo, pc}, failure, wanted, desired,
                                        done)) {
      *expected = static_cast<T>(wanted);
      return done;
    }
  }
  // A failed one is a read: it takes the lock, which knows the outcome before it judges.
  atomic(address(p), sizeof(T), true, true, SeqCst, pc, [&] {
    done = __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
    return done ? Outcome{true, order_of(mo)} : Outcome{false, order_of(failure)};
  });
  barriers(p, *expected, done ? desired : T{});
  return done;
}

// 16 bytes without libatomic.
a128 exchange16(volatile a128* p, a128 expected, a128 desired, bool& done) {
  return __sync_bool_compare_and_swap(p, expected, desired) ? (done = true, expected)
                                                            : (done = false, a128{0});
}
template <class F>
a128 loop16(volatile a128* p, F f) {
  for (;;) {
    const a128 old = *const_cast<a128*>(p);
    if (__sync_bool_compare_and_swap(p, old, f(old))) return old;
  }
}

}  // namespace

// Code that found checks off has done the operation itself, and then found them on (src/pass/
// atomics.cpp). `what`: bytes | reads << 8 | wrote << 9.
STEWARD_HOOK void __steward_atomic_done([[maybe_unused]] const volatile void* p,
                                        [[maybe_unused]] unsigned what, [[maybe_unused]] int mo) {
#if !STEWARD_TRACES
  ThreadState& t = self();
  if (t.epoch == 0 || t.ignore_sync != 0) return;
  samples(t);
  const Outcome outcome{(what & 512) != 0, order_of(mo)};
  atomic_on(t, address(p), what & 255, (what & 256) != 0, outcome.wrote, mo, STEWARD_CALLER, true,
            outcome, [&] { return outcome; });
#endif
}

#define ATOMIC(bits)                                                                               \
  STEWARD_HOOK a##bits __tsan_atomic##bits##_load(const volatile a##bits* p, int mo) {             \
    return load(p, mo, STEWARD_CALLER);                                                            \
  }                                                                                                \
  STEWARD_HOOK void __tsan_atomic##bits##_store(volatile a##bits* p, a##bits v, int mo) {          \
    store(p, v, mo, STEWARD_CALLER);                                                               \
  }                                                                                                \
  STEWARD_HOOK a##bits __tsan_atomic##bits##_exchange(volatile a##bits* p, a##bits v, int mo) {    \
    return modify(p, mo, STEWARD_CALLER,                                                           \
                  [&] { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); });                    \
  }                                                                                                \
  FETCH(bits, add) FETCH(bits, sub) FETCH(bits, and) FETCH(bits, or) FETCH(bits, xor)              \
  FETCH(bits, nand)                                                                                \
  STEWARD_HOOK int __tsan_atomic##bits##_compare_exchange_strong(                                  \
      volatile a##bits* p, a##bits* expected, a##bits v, int mo, int failure) {                    \
    return compare_exchange(p, expected, v, mo, failure, STEWARD_CALLER);                          \
  }                                                                                                \
  STEWARD_HOOK int __tsan_atomic##bits##_compare_exchange_weak(                                    \
      volatile a##bits* p, a##bits* expected, a##bits v, int mo, int failure) {                    \
    return compare_exchange(p, expected, v, mo, failure, STEWARD_CALLER);                          \
  }                                                                                                \
  STEWARD_HOOK a##bits __tsan_atomic##bits##_compare_exchange_val(                                 \
      volatile a##bits* p, a##bits expected, a##bits v, int mo, int failure) {                     \
    compare_exchange(p, &expected, v, mo, failure, STEWARD_CALLER);                                \
    return expected;                                                                               \
  }
#define FETCH(bits, op)                                                                            \
  STEWARD_HOOK a##bits __tsan_atomic##bits##_fetch_##op(volatile a##bits* p, a##bits v, int mo) {  \
    return modify(p, mo, STEWARD_CALLER,                                                           \
                  [&] { return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST); });                    \
  }
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
#undef FETCH

STEWARD_HOOK a128 __tsan_atomic128_load(const volatile a128* p, int mo) {
  a128 v{};
  auto* q = const_cast<volatile a128*>(p);
  atomic(address(p), 16, true, false, mo, STEWARD_CALLER, [&] {
    v = loop16(q, [](a128 old) { return old; });
    return Outcome{false, order_of(mo)};
  });
  return v;
}
STEWARD_HOOK void __tsan_atomic128_store(volatile a128* p, a128 v, int mo) {
  atomic(address(p), 16, false, true, mo, STEWARD_CALLER, [&] {
    loop16(p, [&](a128) { return v; });
    return Outcome{true, order_of(mo)};
  });
}
#define FETCH128(op, expression)                                                                   \
  STEWARD_HOOK a128 __tsan_atomic128_##op(volatile a128* p, a128 v, int mo) {                      \
    return modify(p, mo, STEWARD_CALLER,                                                           \
                  [&] { return loop16(p, [&](a128 old) -> a128 { return expression; }); });        \
  }
FETCH128(exchange, (void(old), v))
FETCH128(fetch_add, old + v)
FETCH128(fetch_sub, old - v)
FETCH128(fetch_and, old & v)
FETCH128(fetch_or, old | v)
FETCH128(fetch_xor, old ^ v)
FETCH128(fetch_nand, ~(old & v))
#undef FETCH128

namespace {
bool compare_exchange16(volatile a128* p, a128* expected, a128 v, int mo, int failure, uptr pc) {
  bool done = false;
  atomic(address(p), 16, true, true, SeqCst, pc, [&] {
    for (;;) {
      const a128 old = loop16(p, [](a128 o) { return o; });
      if (old != *expected) {
        *expected = old;
        break;
      }
      exchange16(p, old, v, done);
      if (done) break;
    }
    return done ? Outcome{true, order_of(mo)} : Outcome{false, order_of(failure)};
  });
  return done;
}
}  // namespace

STEWARD_HOOK int __tsan_atomic128_compare_exchange_strong(volatile a128* p, a128* expected, a128 v,
                                                          int mo, int failure) {
  return compare_exchange16(p, expected, v, mo, failure, STEWARD_CALLER);
}
STEWARD_HOOK int __tsan_atomic128_compare_exchange_weak(volatile a128* p, a128* expected, a128 v,
                                                        int mo, int failure) {
  return compare_exchange16(p, expected, v, mo, failure, STEWARD_CALLER);
}
STEWARD_HOOK a128 __tsan_atomic128_compare_exchange_val(volatile a128* p, a128 expected, a128 v,
                                                        int mo, int failure) {
  compare_exchange16(p, &expected, v, mo, failure, STEWARD_CALLER);
  return expected;
}

STEWARD_HOOK void __tsan_atomic_thread_fence(int mo) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  ThreadState& t = self();
  if (t.epoch == 0) return;
  const RuntimeScope scope(t);
  const Order o = order_of(mo);
  if constexpr (kTraces) return trace::event(t, trace::Op::Fence, {.order = o});
  if (no_order_matters()) return;
  if (acquires(o)) join_clock(t, t.acquire_fence);
  if constexpr (jumble::kEnabled) {
    if (o == SeqCst) jumble::seq_cst_fence(t);
  }
  if (releases(o)) {
    t.release_fence.copy(t.clock);
    t.release_fence_at = t.name();
    increment(t);
  }
}
STEWARD_HOOK void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
