// Chooses the periods that are sampled, and switches checks off when nothing sampled is left that
// could race (PACER's section 4, and a thread of our own in place of its collector).
#pragma once

#include "runtime/sample/census.h"

namespace steward::rt {

void start_sampling();  // at the runtime's start
void second_thread();   // about to be made: from now on there can be a race
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
