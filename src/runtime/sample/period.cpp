#include "runtime/sample/period.h"

#include <unwind.h>

#include "runtime/sample/census.h"
#include "runtime/sample/sampler.h"
#include "runtime/sync/lock_set.h"
#include "runtime/sync/sync_object.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

extern "C" {
extern char __ehdr_start __attribute__((visibility("hidden")));
extern char _end __attribute__((visibility("hidden")));
}

namespace steward::rt {
namespace {

bool is_own_code(uptr pc) {
  return pc >= reinterpret_cast<uptr>(&__ehdr_start) && pc < reinterpret_cast<uptr>(&_end);
}

// The shadow stack as it would be had checks been on all along: a frame for each call, with the
// stack pointer that its entry hook would have seen.
void rebuild_stack(ThreadState& t) {
  constexpr unsigned kDeepest = 1024;
  struct Walk {
    Frame* frames;         // innermost first; far up in the shadow stack's own memory
    bool reached = false;  // the first frame of the program's
    unsigned count = 0;
    uptr sp = 0;
  } walk{t.limit - kDeepest};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* p) {
        auto& w = *static_cast<Walk*>(p);
        const uptr pc = _Unwind_GetIP(context);
        if (!w.reached && is_own_code(pc)) return _URC_NO_REASON;
        if (w.reached && pc != 0) w.frames[w.count++] = {pc, w.sp};
        w.reached = true;
        constexpr uptr kHookFrame = 16;  // return address and frame pointer of the entry hook
        w.sp = _Unwind_GetCFA(context) - kHookFrame;
        return w.count < kDeepest ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &walk);
  t.floor = t.base;
  t.low = t.base;
  t.top = t.base;
  t.overflow = 0;
  for (unsigned i = walk.count; i-- > 0;) *t.top++ = walk.frames[i];
}

}  // namespace

// Table 5's end of a sampling period, for this thread.
static void stop_sampling(ThreadState& t) {
  note_sampled(t.now());
  increment(t);
  t.sampling = false;
  t.history.pause();
}

void rest(ThreadState& t) {
  t.asleep_since = tick_middle.load(std::memory_order_relaxed);
  const bool stays_out = !t.sampling && (t.period & 1) != 0;
  if ((!t.sampling && !stays_out) || t.epoch == 0 || t.info == nullptr) return;
  const RuntimeScope scope(t);
  if (t.sampling) stop_sampling(t);
  __atomic_store_n(&t.period, kNoPeriod, __ATOMIC_RELEASE);
  if (&t == current) show(t);
}

// Table 5, for this thread.
static void enter(ThreadState& t, std::uint32_t period, bool on) {
  __atomic_store_n(&t.period, period, __ATOMIC_RELEASE);
  t.recent_runs.clear();  // in this period it has been nowhere yet
  if (t.sampling != on) {
    if (on) {
      t.sampling = true;
      increment(t);
      const bool known = stack_is_known(t);
      const std::uint32_t now = activation.load(std::memory_order_relaxed);
      const std::uint32_t last = oblivion.load(std::memory_order_relaxed);
      if (t.history_of != last) t.history.begin_anew();
      t.history_of = last;
      if (!known) {
        ++t.ignore_accesses;
        ++t.ignore_sync;
        rebuild_stack(t);
        --t.ignore_accesses;
        --t.ignore_sync;
      }
      t.stack_of = now;
      name_locks(t);
    } else {
      stop_sampling(t);
    }
  }
  if (&t == current) show(t);
}

void adopt(ThreadState& t) {
  if (t.epoch == 0 || t.info == nullptr) return;
  const RuntimeScope scope(t);
  const std::uint32_t period = current_period.load(std::memory_order_acquire);
  enter(t, period, (period & 1) != 0);
}

void adopt_by_time(ThreadState& t) {
  const std::uint32_t period = current_period.load(std::memory_order_acquire);
  if ((period & 1) != 0 && t.epoch != 0 && t.info != nullptr &&
      !takes_part_by_time(t.asleep_since)) {
    const RuntimeScope scope(t);
    enter(t, period, false);
  } else if (t.period == kNoPeriod) {
    adopt(t);
  }
}

}  // namespace steward::rt
