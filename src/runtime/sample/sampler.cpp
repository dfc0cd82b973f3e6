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
#include "runtime/sample/idle.h"
#include "runtime/sample/lengths.h"
#include "runtime/sample/period.h"
#include "runtime/thread/active.h"
#include "runtime/thread/grace.h"
#include "runtime/thread/runtime_scope.h"

REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)

namespace steward::rt {
namespace {

SpinLock lock;  // guards everything below
struct State {
  State(double rate, unsigned usual_us) : periods(rate), lengths(usual_us) {}
  pacer::Periods periods;
  PeriodLengths lengths;
  std::uint64_t draws = 0;
  std::uint64_t work_before = 0;
  std::uint64_t began = 0;              // nanoseconds: the first period
  std::uint64_t ended = 0;              // the last one that was sampled
  std::uint64_t rested = 0, woken = 0;  // when checks last began to rest, and were woken from that
  std::uint64_t patience = 0;           // nanoseconds after they were woken, before they rest again
  // Operations while checks were off, and where those of this time begin.
  std::uint64_t idle_work = 0, idle_from = 0;
  std::uint64_t spent_until = 0;  // the process's time, in nanoseconds, that is in the statistics
  SamplingStats stats{};
};
Placed<State> state;
std::atomic<bool> running{false};
constexpr std::uint64_t kNever = ~std::uint64_t{0};
std::atomic<std::uint64_t> tick_ends{kNever};  // nanoseconds; changed under the lock

// What takes_part_by_time asks: read without the lock, which the sampler may hold while it waits
// for who is in the runtime. The first two are nanoseconds, and would be the current period's were
// it not sampled.
std::atomic<std::uint64_t> plain_length{0}, plain_end{0};
std::atomic<double> chance{1};           // the rate
std::atomic<std::uint64_t> timer_draws;  // apart: the program's timing decides how many there are
std::atomic<bool> some_stay_out{false};

constexpr std::uint64_t kStep = 0x9e37'79b9'7f4a'7c15u;
std::uint64_t splitmix64(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}
std::uint64_t draw() {
  return splitmix64(state->draws += kStep);
}

std::uint64_t nanoseconds(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now;
  sys::call(SYS_clock_gettime, clock, reinterpret_cast<long>(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void fence_all_threads() {
  sys::call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

// Before anything changes that decides what time is spent in.
void note_spent() {
  const bool sampled = (current_period.load(std::memory_order_relaxed) & 1) != 0;
  const Spent in = sampled                         ? Spent::Sampled
                   : is_active()                   ? Spent::Checked
                   : checks() == Checks::OrderOnly ? Spent::OrderOnly
                                                   : Spent::Off;
  const std::uint64_t now = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  state->stats.spent_us[static_cast<unsigned>(in)] += (now - state->spent_until) / 1000;
  state->spent_until = now;
}

void switch_on() {
  note_spent();
  activation.fetch_add(1, std::memory_order_relaxed);
  ++state->stats.activations;
  const bool counted_nothing = checks() == Checks::Off;
  checks_may_rest = false;
  set_checks(Checks::On);
  if (counted_nothing) state->idle_work += work_so_far() - state->idle_from;
}

// Threads adopt the period one by one, each at its next event. Checks are on before the first of
// them samples, so that the others' accesses meet what it has sampled. Its number tells whether it
// is sampled; two in a row share one, but for those who have stayed out of the first.
void switch_period(bool sampled) {
  const bool was = (current_period.load(std::memory_order_relaxed) & 1) != 0;
  note_spent();
  if (sampled && !is_active()) {
    switch_on();
    fence_all_threads();
  }
  if (!sampled) state->ended = nanoseconds();
  const std::uint32_t step = was == sampled ? 2 : 1;
  const std::uint32_t period = current_period.fetch_add(step, std::memory_order_release) + step;
  // Whoever has not seen that yet has written its own words before the fence, and they are
  // overwritten after it.
  fence_all_threads();
  wake_threads(period);
}

// While checks are on: how long since the last sampled period.
std::uint64_t aftermath_us() {
  return (nanoseconds() - state->ended) / 1000;
}

void turn(bool first) {
  const std::uint64_t now = work_so_far();
  const std::uint64_t work = now - state->work_before;
  PeriodLengths& lengths = state->lengths;
  const bool was = state->periods.sampling();
  if (!first && !lengths.is_over(was, work)) return;
  state->work_before = now;
  SamplingStats& s = state->stats;
  if (!first) {
    ++s.periods;
    s.work += work;
    if (was) {
      ++s.sampled_periods;
      s.sampled_work += work;
    } else {
      lengths.learn(work);
    }
  } else {
    state->began = nanoseconds();
  }
  const std::uint64_t even = lengths.even(work);
  // Checks that somebody has woken up do not tell how long it takes to receive what was sampled.
  if (!was && is_active() && state->woken < state->ended) {
    lengths.note_aftermath(aftermath_us(), false);
  }
  const std::uint64_t begins = nanoseconds();
  lengths.begin((begins - state->began) / 1000);
  plain_length = std::uint64_t{lengths.length_us()} * 1000;
  plain_end = begins + plain_length;
  const bool on = first ? state->periods.begin(draw()) : state->periods.next(even, draw());
  const bool renewed = some_stay_out.exchange(false) && on;
  if (renewed || on != ((current_period.load(std::memory_order_relaxed) & 1) != 0)) {
    switch_period(on);
  }
}

// Between sampled periods: is anything left that could still race?
class Tidying {
 public:
  void step() {
    const std::uint64_t begin = nanoseconds();
    if (checks() == Checks::Off) {
      if (kept_ && begin > off_ + kKeep) give_back();
      return;
    }
    const Received received = who_has_all(past_);
    if (received == Received::ByAll) return switch_off(begin);
    if (checks() == Checks::OrderOnly) return;
    if (received == Received::ByTheAwake && begin >= state->woken + state->patience &&
        rest(begin)) {
      return;
    }
    // It may be so soon, and then nothing has to be looked at.
    if (begin < state->ended + kPatience) return;
    if (begin < next_ || (begin < next_for_memory_ && is_recorded(recorded_))) return;
    recorded_ = sweep(past_);
    // Nothing to race with is left, whatever the threads know of each other.
    if (recorded_ == 0 && past_.settled) return switch_off(begin);
    const std::uint64_t end = nanoseconds();
    next_ = end + (end - begin) * 20 + 5'000'000;
    next_for_memory_ = end + (end - begin) * 100 + 50'000'000;  // a hundredth of the time at most
  }

 private:
  static constexpr std::uint64_t kPatience = 5'000'000;  // nanoseconds after a sampled period
  // While sampled periods are many, the next one would spend its time on page faults.
  static constexpr double kSeldom = 0.05;
  static constexpr std::uint64_t kKeep = 2'000'000'000;  // nanoseconds without a sampled period
  // A thread that is idle now is so still when checks rest, or finds that they may (sample/idle.h).
  bool rest(std::uint64_t now) {
    checks_may_rest = true;
    fence_all_threads();
    if (who_has_all(past_) == Received::ByFew) {
      checks_may_rest = false;
      return false;
    }
    if (state->woken < state->ended) state->lengths.note_aftermath(aftermath_us(), true);
    note_spent();
    set_checks(Checks::OrderOnly);
    state->rested = now;
    return true;
  }
  void switch_off(std::uint64_t now) {
    // Off first: whoever has not noticed yet finds empty cells, or ones that all come after.
    if (is_active() && state->woken < state->ended) {
      state->lengths.note_aftermath(aftermath_us(), true);
    }
    note_spent();
    set_checks(Checks::Off);
    checks_may_rest = false;
    state->idle_from = work_so_far();
    let_them_tell();
    forget_sampled();
    oblivion.fetch_add(1, std::memory_order_relaxed);
    next_ = 0;
    if (state->periods.rate() < kSeldom) return give_back();
    drop_all_accesses();
    kept_ = true;
    off_ = now;
  }
  // Who has just found a race with the last that was left tells it, with its history. One that
  // stays in the runtime for long is not waited for.
  static void let_them_tell() {
    constexpr unsigned kLooks = 200;
    constexpr timespec kPause{0, 100'000};
    Grace grace;
    if (!grace.begin()) return;
    for (unsigned i = 0; i < kLooks && !grace.is_over(*current); ++i) {
      sys::call(SYS_nanosleep, reinterpret_cast<long>(&kPause), 0);
    }
  }
  void give_back() {
    kept_ = false;
    give_shadow_back();
    forget_histories();
  }
  CommonPast past_;
  uptr recorded_ = 0;  // a granule that had something sampled when it was last looked for
  std::uint64_t next_ = 0, next_for_memory_ = 0;  // sweeps
  bool kept_ = false;
  std::uint64_t off_ = 0;
};

Tidying tidying;

void begin_tick(std::uint64_t now) {
  const auto length = std::uint64_t{state->lengths.tick_us(state->periods.sampling())} * 1000;
  tick_middle = now + length / 2;
  tick_ends = now + length;
}

// Under the lock: the tick is over, unless another has noticed that before.
void tick() {
  const std::uint64_t now = nanoseconds();
  if (now < tick_ends.load(std::memory_order_relaxed)) return;
  turn(false);
  begin_tick(now);
}

void note_rate(double rate) {
  state->stats.rate = rate;
  samples_always = rate >= 1;
  chance = rate;
}

// Where nothing is to be sampled there is nothing to be done until another rate is asked for.
unsigned wait_us() {
  constexpr unsigned kIdle = 20'000;
  const Locked guard(lock);
  if (state->periods.rate() == 0 && !is_active()) return kIdle;
  const std::uint64_t now = nanoseconds(), end = tick_ends.load(std::memory_order_relaxed);
  if (now >= end) return 1;
  const std::uint64_t us = (end - now) / 1000 + 1;
  // Threads that synchronise have soon received all that was sampled, and one that has woken up has
  // soon done what it does: that is looked for early, and then ever more seldom.
  constexpr std::uint64_t kSoon = 250;
  const bool looks = is_active() && (current_period.load(std::memory_order_relaxed) & 1) == 0;
  const std::uint64_t since = std::min(aftermath_us(), (now - state->woken) / 1000);
  return static_cast<unsigned>(looks ? std::min(us, std::max(kSoon, since / 8)) : us);
}

// Threads that compute leave a processor late to one that wakes up now and then, unless that asks
// for less of it at a time (Linux 6.12 and later; others refuse).
void ask_for_short_slices() {
  struct {
    std::uint32_t size = 48, policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 100'000, deadline = 0, period = 0;
  } wanted;
  static_assert(sizeof wanted == 48);
  wanted.nice = 20 - static_cast<int>(sys::call(SYS_getpriority, 0, 0));
  sys::call(SYS_sched_setattr, 0, reinterpret_cast<long>(&wanted), 0);
}

void* run(void*) {
  Control control;
  ask_for_short_slices();
  while (any_thread_lives()) {  // the last thread's end is the program's
    const double rate = control.wait(wait_us());
    const Locked guard(lock);
    if (rate >= 0) {
      state->periods.set_rate(rate);
      note_rate(rate);
      state->lengths.end_at_next_tick();
      tick_ends = 0;
    }
    tick();
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
  state.make(rate, options().sample_period_us);
  state->draws = options().sample_seed != 0 ? options().sample_seed : sys::random();
  timer_draws = ~state->draws;
  note_rate(rate);
  can_race_no_more = is_behind_all;
  if (rate >= 1) return;  // as it begins: in a sampled period
  current_period.store(2, std::memory_order_relaxed);
  set_checks(Checks::Off);
}

void second_thread() {
  if (running.exchange(true)) return;
  {
    const Locked guard(lock);
    turn(true);
    begin_tick(nanoseconds());
  }
  start_thread();
}

// Checks go on for it, unless it has received everything meanwhile. One that wakes up soon again
// would pay more for that than rests are worth: they are then tried ever more seldom.
void awake_slow(ThreadState& t) {
  constexpr std::uint64_t kShort = 5'000'000, kLeast = 250'000, kMost = 100'000'000;
  const RuntimeScope scope(t);
  const Locked guard(lock);
  if (checks() != Checks::OrderOnly || has_all(t)) return;
  state->woken = nanoseconds();
  state->patience =
      state->woken > state->rested + kShort ? 0 : std::clamp(2 * state->patience, kLeast, kMost);
  switch_on();
}

// A program that keeps all processors busy would let the sampler's own thread wait.
void look_at_period(ThreadState& t) {
  if (nanoseconds() < tick_ends.load(std::memory_order_relaxed)) return;
  const RuntimeScope scope(t);
  if (!lock.try_lock()) return;
  if (state->periods.rate() != 0) tick();
  lock.unlock();
}

// Not at the rate alone: what seems to be a timer may be a thread that looks now and then how far
// others have got, and does what that brings. With looks S apart, periods of length L, and checks
// that let others do hardly anything in the rest, L*L/2S of the L units of work that are its part
// of a sampled period are left when the first length is over, and it does (S + L*L/S)/2 after that.
// So 1/(1 + (S/L)^2) of those have to be sampled.
bool takes_part_by_time(std::uint64_t asleep_since) {
  const std::uint64_t now = nanoseconds();
  const std::uint64_t length = plain_length.load(std::memory_order_relaxed);
  const std::uint64_t end = plain_end.load(std::memory_order_relaxed);
  if (now < std::max(end, asleep_since + length)) return true;
  const double slept = static_cast<double>(now - asleep_since) / static_cast<double>(length);
  const double wanted = std::max(chance.load(std::memory_order_relaxed), 1 / (1 + slept * slept));
  if (unit(splitmix64(timer_draws.fetch_add(kStep) + kStep)) < wanted) return true;
  some_stay_out = true;
  return false;
}

void lock_sampler_for_fork() {
  lock.lock();
}
void unlock_sampler_after_fork(bool child) {
  if (child) {
    tick_ends = kNever;
    state->spent_until = 0;
    std::fill(std::begin(state->stats.spent_us), std::end(state->stats.spent_us), 0);
  }
  if (child) running = false;  // its thread is not in this process; a second one starts it again
  lock.unlock();
}

SamplingStats sampling_stats() {
  SamplingStats s;
  std::uint64_t idle;
  {
    const Locked guard(lock);
    note_spent();
    s = state->stats;
    idle = state->idle_work + (is_order_followed() ? 0 : work_so_far() - state->idle_from);
  }
  order_counts(s.rules);
  // An acquire while checks are off receives nothing that the thread does not have.
  s.rules[0][static_cast<unsigned>(pacer::OrderRule::JoinSameVersionEpoch)] += idle;
  return s;
}

}  // namespace steward::rt
