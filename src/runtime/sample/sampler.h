// Chooses the periods that are sampled, and switches checks off when nothing sampled is left that
// could race (PACER's section 4, and a thread of our own in place of its collector).
#pragma once

#include "runtime/sample/census.h"

namespace steward::rt {

void start_sampling();  // at the runtime's start
void second_thread();   // about to be made: from now on there can be a race

// The time as the sampler has it, without a system call.
inline std::atomic<std::uint64_t> tick_middle{0};  // nanoseconds
// In a sampled period: does a thread sample that time alone has woken up, from a wait that began
// about then? Who works is as far at the period's end as had it not been sampled. Timers go on
// meanwhile: if checks make the period ten times as long, what is done once a second is in a
// sampled one ten times as often as the rate says, and what it has sampled keeps checks on until
// the next second. So a thread that has slept for as long as a period samples as others do while
// the sampled one is no longer than it would be without checks, and by chance, at the rate, in what
// checks add: at all times together, that is the rate.
bool takes_part_by_time(std::uint64_t asleep_since);
void lock_sampler_for_fork();
void unlock_sampler_after_fork(bool child);

// What the processors' time was spent in: checks off, order alone followed, checks after a sampled
// period, sampled periods.
enum class Spent : unsigned char { Off, OrderOnly, Checked, Sampled };
inline constexpr unsigned kSpent = 4;

struct SamplingStats {
  double rate;
  std::uint64_t periods, sampled_periods, work, sampled_work, activations;
  std::uint64_t spent_us[kSpent];
  OrderCounts rules;  // Table 3's
};
SamplingStats sampling_stats();

}  // namespace steward::rt
