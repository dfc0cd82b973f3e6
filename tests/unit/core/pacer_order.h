// Fixtures for PACER's synchronisation by hand: operations that answer with the rules they fired.
#pragma once

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include "core/pacer/order.h"

#include "analyze/heap_pages.h"

namespace steward::pacer {

inline void PrintTo(OrderRule r, std::ostream* out) {
  *out << name(r);
}

using Clocks = std::vector<Clock>;
using Rules = std::vector<OrderRule>;

// A PACER order fed by hand. The parameter: the whole test in a sampling period, or outside.
class PacerOrder : public testing::TestWithParam<bool> {
 protected:
  // Threads 0..n-1, in slots of the same numbers; sampling as the test's parameter says.
  void start(unsigned threads, Scope scope = Scope::Global, Clock limit = kMaxClock) {
    order.emplace(pool, scope, limit);
    seen_ = {};
    for (unsigned t = 0; t < threads; ++t) order->thread(ThreadId{t});
    if (sampling()) order->sample_all(true);
    fired();
  }
  bool sampling() const { return GetParam(); }
  void TearDown() override {
    order.reset();
    EXPECT_EQ(pool.in_use(), 0u);
  }

  // The rules fired since the last call, in the table's order.
  Rules fired() {
    Rules rules;
    for (unsigned r = 0; r < kOrderRules; ++r) {
      const auto rule = static_cast<OrderRule>(r);
      for (const bool s : {false, true}) {
        std::uint64_t& seen = seen_[2 * r + (s ? 1 : 0)];
        if (one_column_) {
          EXPECT_TRUE(seen == order->count(rule, s) || s == sampling()) << "in the other column";
        }
        for (; seen < order->count(rule, s); ++seen) rules.push_back(rule);
      }
    }
    return rules;
  }
  Rules acquire(unsigned t, SyncKey o) {
    order->acquire(ThreadId{t}, o);
    return fired();
  }
  Rules release(unsigned t, SyncKey o) {
    order->release(ThreadId{t}, o);
    return fired();
  }
  Rules merge(unsigned t, SyncKey o) {
    order->release_merge(ThreadId{t}, o);
    return fired();
  }
  Rules fork(unsigned t, unsigned u) {
    order->fork(ThreadId{t}, ThreadId{u});
    return fired();
  }
  Rules join(unsigned t, unsigned u) {
    order->join(ThreadId{t}, ThreadId{u});
    return fired();
  }
  Order::Thread& thread(unsigned t) { return order->thread(ThreadId{t}); }
  Clocks clock(unsigned t) { return {thread(t).clock->begin(), thread(t).clock->end()}; }
  Version version(unsigned t, unsigned of) { return thread(t).versions[Slot{of}]; }
  Clock own(unsigned t) { return thread(t).epoch().clock(); }

  // The rules of a copy and the increment after it, and the one that led to the copy.
  Rules copied(std::optional<OrderRule> by = {}) const {
    Rules r;
    r.push_back(sampling() ? OrderRule::CopyDeep : OrderRule::CopyShallow);
    r.push_back(sampling() ? OrderRule::Increment : OrderRule::IncrementTimeless);
    if (by) r.push_back(*by);
    return r;
  }

  static SyncKey lock(unsigned i) { return SyncKey::of(SyncId{i}, SyncMode::Exclusive); }
  static SyncKey vol(unsigned i) { return SyncKey::of(SyncId{100 + i}, SyncMode::Volatile); }

  analyze::HeapPages pages;
  Pool pool{pages};
  std::optional<Order> order;
  bool one_column_ = true;  // the whole test is in a sampling period, or outside

 private:
  std::array<std::uint64_t, 2 * kOrderRules> seen_{};
};

// For tests that begin and end periods themselves.
class PacerPeriods : public PacerOrder {
 protected:
  PacerPeriods() { one_column_ = false; }
};

}  // namespace steward::pacer
