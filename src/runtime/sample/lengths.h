// How long periods last: in time those that are not sampled, in work those that are. Pure: what the
// time is and what was done is told.
#pragma once

#include <algorithm>
#include <cstdint>

namespace steward::rt {

// A period is one tick, unless it is sampled: then it is as many as the work takes, of a quarter of
// the length each. Were they longer, it would on average end much later in the work than others do,
// and have more of it than its share.
class PeriodLengths {
 public:
  explicit PeriodLengths(unsigned usual_us) : usual_us_(usual_us), length_us_(usual_us) {}

  // What a period lasts if it is not sampled, and when to look whether it is over.
  unsigned length_us() const { return length_us_; }
  unsigned tick_us(bool sampled) const { return sampled ? length_us_ / kFine : length_us_; }

  // A period begins, so long after the first one did.
  void begin(std::uint64_t us_since_first) {
    ticks_ = 0;
    length_us_ = length_at(us_since_first);
  }

  // Checks have been on for so long since a sampled period ended, and are off now or not yet.
  void note_aftermath(std::uint64_t us, bool over) {
    after_us_ = over ? (after_us_ + us) / 2 : std::max(after_us_, us);
  }

  // One more tick has passed, and so much has been done in the whole period: does it end here?
  // Checks make a program slower, so a sampled period lasts until as much has been done in it as in
  // the others on average. Where too little is done to tell, as long as checks would make of one,
  // by experience; but what a program does at first, to start threads, they hardly make slower.
  // Where it is little, it comes in bursts, for which a period waits no longer than checks cost at
  // the most.
  bool is_over(bool sampled, std::uint64_t work) {
    if (!sampled || ++ticks_ >= kMost * kFine) return true;
    const double wanted = plain_us_ == 0 ? 0 : plain_work_ * length_us_ / plain_us_;
    if (static_cast<double>(work) >= wanted && wanted >= kEnough) return true;
    if (wanted >= kPlenty) return false;
    return ticks_ >= kFine * (wanted >= kEnough ? kDear : usual_lengths());
  }
  void end_at_next_tick() { ticks_ = kMost * kFine; }

  // A period that was not sampled has ended.
  void learn(std::uint64_t work) {
    const auto done = static_cast<double>(work);
    // Twice the work: what was before is another phase, most likely the start.
    const bool is_new = done * plain_us_ > 2 * plain_work_ * length_us_;
    const double kept = is_new ? 0 : 0.5;
    plain_us_ = kept * plain_us_ + length_us_;
    plain_work_ = kept * plain_work_ + done;
  }

  // Periods of different lengths are compared by what they would do in the same time.
  std::uint64_t even(std::uint64_t work) const { return work * usual_us_ / length_us_; }

  static constexpr unsigned kMost = 100;         // lengths, of a sampled period
  static constexpr std::uint64_t kLongest = 10;  // times the usual length

 private:
  static constexpr unsigned kFine = 4;
  static constexpr double kEnough = 8, kPlenty = 128;  // operations
  static constexpr unsigned kUsual = 4, kDear = 12;    // what checks cost, in native times

  // A program's first periods are a tenth as long as the usual ones: what they are compared with is
  // not known at first, and a program that ends soon would see little else. But of many some is
  // sampled, so they soon get longer.
  unsigned length_at(std::uint64_t us_since_first) const {
    constexpr unsigned kLeast = 100, kTicks = 4;
    const unsigned shortest = usual_us_ / 10 > kLeast ? usual_us_ / 10 : usual_us_;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(us_since_first / kTicks, shortest, longest()));
  }

  // After a sampled period checks stay on until all threads have received what was sampled. That
  // costs the same however long the period was: so periods are as long as that lasts. Before it is
  // known, as long as it takes for some operations, without which nobody receives anything.
  std::uint64_t longest() const {
    constexpr double kSome = 64;
    const std::uint64_t most = kLongest * usual_us_;
    if (plain_us_ == 0) return usual_us_;
    if (plain_work_ * static_cast<double>(most) < kSome * plain_us_) return most;
    const auto some = static_cast<std::uint64_t>(kSome * plain_us_ / plain_work_);
    return std::clamp<std::uint64_t>(std::max(some, after_us_), usual_us_, most);
  }

  unsigned usual_lengths() const { return std::clamp(kUsual * length_us_ / usual_us_, 1u, kUsual); }

  unsigned usual_us_;
  unsigned length_us_;  // of the current period
  unsigned ticks_ = 0;  // it has had
  // Of periods that were not sampled, each half as much as the one after it: threads start, and
  // programs have phases.
  double plain_work_ = 0, plain_us_ = 0;
  std::uint64_t after_us_ = 0;  // how long checks stay on after a sampled period
};

}  // namespace steward::rt
