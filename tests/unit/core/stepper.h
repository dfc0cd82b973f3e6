// A detector fed by hand, event by event, so that a test can look between two events. An event's
// site is its index + 1, as in support/events.h. What it fired joins the rule coverage; what it did
// not give back fails the test.
#pragma once

#include <gtest/gtest.h>
#include <optional>
#include <string_view>

#include "support/run.h"

namespace steward::test {

// Two events that a report is between: indices of the trace as fed.
struct Between {
  std::size_t first;
  std::size_t second;
  auto operator<=>(const Between&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Between& b) {
  return out << b.first << "-" << b.second;
}
using Reports = std::vector<Between>;

template <class Algorithm>
class Stepper {
 public:
  template <class... Args>
  explicit Stepper(const LardRules& rules, Args&&... args) : pool_(pages_) {
    analysis_.emplace(pool_, rules, std::forward<Args>(args)...);
  }
  Stepper() : Stepper(LardRules{}) {}
  ~Stepper() {
    cover<Algorithm>(*analysis_);
    analysis_.reset();
    EXPECT_EQ(pool_.in_use(), 0u) << "a detector leaked its state";
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // The races reported at these events.
  Reports operator()(std::initializer_list<Event> events) { return feed(events); }
  Reports operator()(const Event& e) { return feed({&e, 1}); }
  Reports feed(std::span<const Event> events) {
    Found found;
    for (Event e : events) {
      e.site = SiteId{next_++};
      analysis_->process({&e, 1}, found);
    }
    Reports between;
    for (const Race& r : found.races) between.push_back({first_event(r), second_event(r)});
    races_.insert(races_.end(), found.races.begin(), found.races.end());
    return between;
  }

  // Index of the next event.
  std::size_t now() const { return next_ - 1; }
  const std::vector<Race>& races() const { return races_; }
  Algorithm& algorithm() { return analysis_->algorithm(); }
  Analysis<Algorithm>& analysis() { return *analysis_; }
  const Pool& pool() const { return pool_; }

  // How often the rule of this name fired.
  std::uint64_t fired(std::string_view rule) const {
    std::optional<std::uint64_t> times;
    analysis_->for_each_stat([&](const Stat& s) {
      if (rule == s.name) times = s.outside + s.sampling;
    });
    EXPECT_TRUE(times) << "no rule is called " << rule;
    return times.value_or(0);
  }

 private:
  analyze::HeapPages pages_;
  Pool pool_;
  std::optional<Analysis<Algorithm>> analysis_;
  std::vector<Race> races_;
  std::uint32_t next_ = 1;
};

}  // namespace steward::test
