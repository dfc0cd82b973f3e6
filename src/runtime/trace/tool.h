// What the tool `record` does in the place of the detector's checks (docs/record.md): every event
// goes into the thread's stream.
//
// Calls of these from sources that all tools share stand behind `if constexpr (kTraces)`.
//
// Order: an event is written before others can see its effect (a release, a free) or after this
// thread has seen others' (an acquire, an allocation), and stamped at that time. The recorder goes
// by the stamps and takes late entries later, which then nobody can have seen an effect of. An
// access has no effect that others may see before the thread's next release: it may have the time
// of the entry before it. Only one in kUntimed has its own, and the first after a call or a return.
#pragma once

#include "runtime/thread/runtime_scope.h"
#include "runtime/thread/thread_state.h"
#include "runtime/trace/stream.h"

namespace steward::rt::trace {

// As the events have it (event/event.h).
enum class Mode : std::uint8_t { Exclusive, Shared, Volatile };

void start();  // once, at the runtime's start: opens the channel, if there is one
void open_stream(ThreadState& t);   // the calling thread's, before its first event
void close_stream(ThreadState& t);  // after its last
void pass_stream(ThreadState& from, ThreadState& to);  // a language thread takes over
void stop_after_fork();                                // the child is not recorded
void module_loaded();  // the recorder names code by its module: tells of new ones

// Anything but an access of the program's own code.
struct Fields {
  uptr address = 0;
  std::uint64_t size = 0;  // 0: none
  std::uint64_t other = 0;
  uptr pc = 0;
  Mode mode = Mode::Exclusive;
  int order = 0;
};
void event(ThreadState& t, Op op, const Fields& f);
void range(ThreadState& t, bool write, uptr a, std::uint64_t size, uptr pc);

inline void acquired(ThreadState& t, uptr a, Mode m, uptr pc = 0) {
  event(t, Op::Acquire, {.address = a, .pc = pc, .mode = m});
}
inline void releases(ThreadState& t, uptr a, Mode m) {
  event(t, Op::Release, {.address = a, .mode = m});
}
inline void merges(ThreadState& t, uptr a, Mode m) {
  event(t, Op::ReleaseMerge, {.address = a, .mode = m});
}

// A loop that will do nothing but access memory: its accesses, each at `a` and from round to round
// a step further, and then the loop of the last `walks` of them.
inline constexpr std::int64_t kMaxStep = (std::int64_t{1} << (kStepBits - 1)) - 1;
void walk(ThreadState& t, bool write, uptr a, std::int64_t step, unsigned size, uptr pc);
void loop(ThreadState& t, std::uint64_t rounds, std::uint64_t walks, std::uint64_t instructions);

// A function's call and return; `depth`: how many are open outside it.
void enter(ThreadState& t, std::uint64_t depth, uptr function, uptr sp);
void exit(ThreadState& t, std::uint64_t depth);

// Room for one more atomic operation, before its lock is taken: a thread must not wait with it.
void make_room(ThreadState& t);

// An access of instrumented code. Nearly all of a trace is these. The slow way looks for room and
// at the clock.
__attribute__((noinline)) void access_slow(bool write, uptr a, unsigned size, uptr pc);
__attribute__((noinline)) std::uint64_t long_delta(Stream& s, std::uint64_t now);
__attribute__((noinline)) void put_instructions(Stream& s);

// Instructions are told of when there are so many, and before whatever orders threads.
inline constexpr std::uint64_t kManyInstructions = 32;

inline constexpr unsigned kUntimed = 16;

// Null: the processor's counter is the clock.
extern const std::atomic<std::uint64_t>* slow_clock;
inline std::uint64_t time() {
  return __builtin_expect(slow_clock == nullptr, 1) ? __builtin_ia32_rdtsc()
                                                    : slow_clock->load(std::memory_order_relaxed);
}
// The time since the last entry, for an entry's upper bits.
inline std::uint64_t delta_to(Stream& s, std::uint64_t now) {
  const std::uint64_t delta = now - s.stamp;
  if (__builtin_expect(delta > kMaxDelta, 0)) return long_delta(s, now);
  s.stamp = now;
  return delta << kAddressBits;
}

inline void put(Stream& s, std::uint64_t what, std::uint64_t where) {
  Entry* e = s.next;
  e->where = where;
  __atomic_store_n(&e->what, what, __ATOMIC_RELEASE);
  s.next = e + 1;
}

template <unsigned Size, bool Write>
__attribute__((always_inline)) inline void access(ThreadState* t, uptr a, uptr pc) {
  Stream& s = t->stream;
  if (__builtin_expect(s.next >= s.untimed, 0)) return access_slow(Write, a, Size, pc);
  const RuntimeScope scope(*t);
  if (__builtin_expect(__steward_instructions - s.instructions >= kManyInstructions, 0)) {
    put_instructions(s);
  }
  constexpr Op op = Write ? Op::Write : Op::Read;
  constexpr std::uint64_t kind = static_cast<std::uint64_t>(op) << kOpShift |
                                 static_cast<std::uint64_t>(size_code(Size)) << kSizeShift;
  const std::uint64_t system = t->ignore_accesses != 0 ? std::uint64_t{1} << kSystemShift : 0;
  put(s, (a & kAddressMask) | kind | system, pc & kAddressMask);
}

}  // namespace steward::rt::trace
