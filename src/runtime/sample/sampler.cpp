#include "runtime/sample/sampler.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "core/pacer/periods.h"
#include "runtime/intercept/real.h"
#include "runtime/mem/pages.h"
#include "runtime/options.h"
#include "runtime/sample/control.h"
#include "runtime/sample/period.h"
#include "runtime/thread/active.h"

REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)

namespace steward::rt {
namespace {

SpinLock lock;  // guards everything below
struct State {
  explicit State(double rate) : periods(rate) {}
  pacer::Periods periods;
  std::uint64_t draws = 0;
  std::uint64_t work_before = 0;
  // Of periods that were not sampled, for comparison.
  std::uint64_t plain_work = 0, plain_periods = 0;
  unsigned ticks = 0;  // of the current period
  SamplingStats stats{};
};
Placed<State> state;
std::atomic<bool> running{false};

std::uint64_t draw() {  // splitmix64
  std::uint64_t z = state->draws += 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}

void fence_all_threads() {
  sys::call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

// Threads adopt the period one by one, each at its next event. Checks are on before the first of
// them samples, so that the others' accesses meet what it has sampled.
void switch_period(bool sampled) {
  if (sampled && !is_active()) {
    activation.fetch_add(1, std::memory_order_relaxed);
    ++state->stats.activations;
    set_active(true);
    fence_all_threads();
  }
  current_period.fetch_add(1, std::memory_order_release);
  // Whoever has not seen that yet has written its own words before the fence, and they are
  // overwritten after it.
  fence_all_threads();
  wake_threads();
}

constexpr unsigned kMost = 32;  // a sampled period's ticks

// Checks make a program slower, so a sampled period lasts until as much has been done in it as in
// the others on average. Where nothing tells, as long as checks would make of one, by experience.
bool is_over(std::uint64_t work) {
  constexpr unsigned kUsual = 8;
  if (!state->periods.sampling() || ++state->ticks >= kMost) return true;
  if (state->plain_work == 0) return state->ticks >= kUsual;
  return work * state->plain_periods >= state->plain_work;
}

void turn(bool first) {
  const std::uint64_t now = work_so_far();
  const std::uint64_t work = now - state->work_before;
  if (!first && !is_over(work)) return;
  state->ticks = 0;
  state->work_before = now;
  SamplingStats& s = state->stats;
  const bool was = state->periods.sampling();
  if (!first) {
    ++s.periods;
    s.work += work;
    if (was) {
      ++s.sampled_periods;
      s.sampled_work += work;
    } else {
      ++state->plain_periods;
      state->plain_work += work;
    }
  }
  const bool on = first ? state->periods.begin(draw()) : state->periods.next(work, draw());
  if (on != ((current_period.load(std::memory_order_relaxed) & 1) != 0)) switch_period(on);
}

std::uint64_t nanoseconds() {
  timespec now;
  sys::call(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Between sampled periods: is anything left that could still race?
class Tidying {
 public:
  void step() {
    const std::uint64_t begin = nanoseconds();
    if (!is_active()) {
      if (kept_ && begin > off_ + kKeep) {
        kept_ = false;
        give_shadow_back();
      }
      return;
    }
    if (all_is_past(past_)) {
      // Off first: whoever has not noticed yet finds empty cells, or ones that all come after.
      set_active(false);
      drop_all_accesses();
      kept_ = true;
      off_ = begin;
      return;
    }
    if (begin < next_) return;
    sweep(past_);
    const std::uint64_t end = nanoseconds();
    next_ = end + (end - begin) * 100 + 50'000'000;  // a hundredth of the time at most
  }

 private:
  static constexpr std::uint64_t kKeep = 2'000'000'000;  // nanoseconds without a sampled period
  CommonPast past_;
  std::uint64_t next_ = 0;
  bool kept_ = false;
  std::uint64_t off_ = 0;
};

Tidying tidying;

void* run(void*) {
  Control control;
  while (any_thread_lives()) {  // the last thread's end is the program's
    const double rate = control.wait(options().sample_period_us);
    const Locked guard(lock);
    if (rate >= 0) {
      state->periods.set_rate(rate);
      state->stats.rate = rate;
      state->ticks = kMost;  // the period ends here
    }
    turn(false);
    if ((current_period.load(std::memory_order_relaxed) & 1) == 0) tidying.step();
  }
  return nullptr;
}

// A thread that the program does not see: no signals, no hooks.
void start_thread() {
  ++current->ignore_accesses;
  ++current->ignore_sync;
  std::uint64_t all = ~std::uint64_t{0}, before = 0;
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&all),
            reinterpret_cast<long>(&before), sizeof all);
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attr, 256 * 1024);
  pthread_t thread;
  if (real_pthread_create()(&thread, &attr, run, nullptr) != 0) running = false;
  pthread_attr_destroy(&attr);
  sys::call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, sizeof all);
  --current->ignore_accesses;
  --current->ignore_sync;
}

}  // namespace

void start_sampling() {
  const double rate = options().sample;
  state.make(rate);
  state->draws = options().sample_seed != 0 ? options().sample_seed : sys::random();
  state->stats.rate = rate;
  if (rate >= 1) return;  // as it begins: in a sampled period
  current_period.store(2, std::memory_order_relaxed);
  set_active(false);
}

void second_thread() {
  if (running.exchange(true)) return;
  {
    const Locked guard(lock);
    turn(true);
  }
  start_thread();
}

void lock_sampler_for_fork() {
  lock.lock();
}
void unlock_sampler_after_fork(bool child) {
  if (child) running = false;  // its thread is not in this process; a second one starts it again
  lock.unlock();
}

SamplingStats sampling_stats() {
  SamplingStats s;
  {
    const Locked guard(lock);
    s = state->stats;
  }
  order_counts(s.rules);
  return s;
}

}  // namespace steward::rt
