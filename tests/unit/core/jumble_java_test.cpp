// The models `java` and `torn` against the definition of the PJMM (paper, section 4), on all small
// traces.
#include <gtest/gtest.h>
#include <set>

#include "core/jumble/pjmm.h"

#include "analyze/random.h"
#include "exhaustive/enumerate.h"
#include "jumble_support.h"
#include "support/run.h"

namespace steward::test {
namespace {

using jumble::Chooser;
using jumble::Heuristic;
using jumble::Pjmm;
using jumble::Value;
using Values = std::set<Value>;

constexpr Address kX = 0x1000;

// The happens-before relation of a trace, by the four rules of section 2 and volatiles, closed.
class Before {
 public:
  explicit Before(const Trace& trace) : n_(trace.size()) {
    for (std::size_t b = 0; b < n_; ++b) {
      for (std::size_t a = 0; a < b; ++a) set_[a][b] = direct(trace[a], trace[b]);
    }
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t a = 0; a < k; ++a) {
        for (std::size_t b = k + 1; b < n_; ++b) {
          if (set_[a][k] && set_[k][b]) set_[a][b] = true;
        }
      }
    }
  }
  bool operator()(std::size_t a, std::size_t b) const { return set_[a][b]; }

 private:
  static bool direct(const Event& a, const Event& b) {
    if (a.thread == b.thread) return true;
    const bool released = a.kind == EventKind::Release || a.kind == EventKind::ReleaseMerge;
    if (released && b.kind == EventKind::Acquire && a.address == b.address) return true;
    // A thread begins and ends even if it does nothing: its fork is before its join.
    if (a.kind == EventKind::Fork) {
      const ThreadId u = a.target_thread();
      return u == b.thread || (b.kind == EventKind::Join && b.target_thread() == u);
    }
    return b.kind == EventKind::Join && b.target_thread() == a.thread;
  }

  static constexpr std::size_t kMax = 16;
  std::size_t n_;
  bool set_[kMax][kMax] = {};
};

// What the last event of the trace, a read, may return: the value of any earlier write, or the
// initial 0, without a write between by happens-before.
Values legal(const Trace& trace, const std::vector<Value>& written, Value part = ~Value{0}) {
  const Before before(trace);
  const std::size_t read = trace.size() - 1;
  auto is_write = [&](std::size_t i) {
    return trace[i].kind == EventKind::Write && trace[i].address == trace[read].address;
  };
  Values values;
  bool initial = true;
  for (std::size_t b = 0; b < read; ++b) {
    if (!is_write(b)) continue;
    if (before(b, read)) initial = false;
    bool hidden = false;
    for (std::size_t c = 0; c < read; ++c) {
      hidden = hidden || (is_write(c) && before(b, c) && before(c, read));
    }
    if (!hidden) values.insert(written[b] & part);
  }
  if (initial) values.insert(0);
  return values;
}

// Threads that nobody forks are there from the start.
void begin_threads(Pjmm& m, const Trace& trace) {
  std::set<ThreadId> forked;
  for (const Event& e : trace) {
    if (e.kind == EventKind::Fork) forked.insert(e.target_thread());
  }
  for (const Event& e : trace) {
    if (forked.count(e.thread) == 0) m.order().thread(e.thread);
  }
}

void step(Pjmm& m, const Event& e, Value value) {
  const SyncKey key = SyncKey::of(e.sync(), e.mode);
  switch (e.kind) {
    case EventKind::Write:
      m.write(e.thread, e.address, value);
      break;
    case EventKind::Acquire:
      m.order().acquire(e.thread, key);
      break;
    case EventKind::Release:
      m.order().release(e.thread, key);
      break;
    case EventKind::ReleaseMerge:
      m.order().release_merge(e.thread, key);
      break;
    case EventKind::Fork:
      m.order().fork(e.thread, e.target_thread());
      break;
    case EventKind::Join:
      m.order().join(e.thread, e.target_thread());
      break;
    default:
      break;
  }
}

enum class Compress { WhenFull, Always };

struct Setting {
  unsigned bound = jumble::kBound;
  Compress compress = Compress::WhenFull;
  unsigned unit = 8;
};

// The values that the last event can return, over all picks.
Values reachable(const Trace& trace, const std::vector<Value>& written, const Setting& s,
                 PageSource& pages) {
  Values values;
  AllPicks picks;
  NoDraws draws;
  do {
    Pool pool(pages);
    Pjmm m(pool, s.bound);
    begin_threads(m, trace);
    for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
      step(m, trace[i], written[i]);
      if (s.compress == Compress::Always) m.compress(kX);
    }
    Chooser chooser(Heuristic::Random, draws, &picks);
    values.insert(m.read(trace.back().thread, trace.back().address, chooser, s.unit).value);
    cover_jumble(m.counts());
  } while (picks.advance());
  return values;
}

bool subset(const Values& a, const Values& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

// Values of the writes: all different, or two that come again and again (for [GC2]).
std::vector<Value> values_of(const Trace& trace, bool repeated) {
  std::vector<Value> v(trace.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = repeated ? 1 + i % 2 : i + 1;
  return v;
}

std::string shown(const Trace& trace) {
  std::string s;
  for (const Event& e : trace) {
    s += std::to_string(static_cast<unsigned>(e.kind)) + "(" + std::to_string(raw(e.thread)) + "," +
         std::to_string(e.address) + ") ";
  }
  return s;
}

struct Case {
  Scope scope;
  const char* name;
};

class AllSmallTraces : public testing::TestWithParam<Case> {};

TEST_P(AllSmallTraces, ReturnsExactlyTheLegalValues) {
  RecycledPages pages;
  std::uint64_t reads = 0, choices = 0;
  for (unsigned length = 1; length <= GetParam().scope.length; ++length) {
    Scope scope = GetParam().scope;
    scope.length = length;
    Enumerator::run(scope, 0, 1, [&](const Trace& trace) {
      if (trace.back().kind != EventKind::Read || HasFailure()) return;
      ++reads;
      for (const bool repeated : {false, true}) {
        const std::vector<Value> written = values_of(trace, repeated);
        const Values expected = legal(trace, written);
        choices += expected.size() > 1 ? 1 : 0;
        for (const Compress c : {Compress::WhenFull, Compress::Always}) {
          ASSERT_EQ(reachable(trace, written, {.compress = c}, pages), expected) << shown(trace);
        }
        for (const unsigned bound : {1u, 2u, 3u}) {
          const Values some = reachable(trace, written, {.bound = bound}, pages);
          ASSERT_TRUE(subset(some, expected)) << shown(trace) << " bound " << bound;
          ASSERT_FALSE(some.empty());
        }
      }
    });
  }
  EXPECT_GT(reads, 1000u);
  EXPECT_GT(choices, 100u);
}

INSTANTIATE_TEST_SUITE_P(Jumble, AllSmallTraces,
                         testing::Values(Case{{.threads = 2,
                                               .variables = 1,
                                               .locks = 1,
                                               .volatiles = 0,
                                               .fork_join = false,
                                               .length = 7},
                                              "lock"},
                                         Case{{.threads = 3,
                                               .variables = 1,
                                               .locks = 0,
                                               .volatiles = 0,
                                               .fork_join = true,
                                               .length = 6},
                                              "fork_join"},
                                         Case{{.threads = 3,
                                               .variables = 1,
                                               .locks = 0,
                                               .volatiles = 1,
                                               .fork_join = false,
                                               .length = 6},
                                              "volatile"},
                                         Case{{.threads = 3,
                                               .variables = 1,
                                               .locks = 1,
                                               .volatiles = 1,
                                               .fork_join = true,
                                               .length = 5},
                                              "all"},
                                         Case{{.threads = 2,
                                               .variables = 2,
                                               .locks = 1,
                                               .volatiles = 0,
                                               .fork_join = false,
                                               .length = 6},
                                              "variables"}),
                         [](const auto& with) { return with.param.name; });

// Two halves, each of a write of its own: every pair of legal halves, and no other value.
TEST(JumbleTorn, ReturnsExactlyThePairsOfLegalHalves) {
  RecycledPages pages;
  constexpr Value kLow = 0xffff'ffff;
  std::uint64_t torn = 0;
  for (unsigned length = 1; length <= 5; ++length) {
    const Scope scope{.threads = 2, .variables = 1, .locks = 1, .volatiles = 0, .length = length};
    Enumerator::run(scope, 0, 1, [&](const Trace& trace) {
      if (trace.back().kind != EventKind::Read || HasFailure()) return;
      std::vector<Value> written(trace.size());
      for (std::size_t i = 0; i < written.size(); ++i) written[i] = (i + 1) << 32 | (i + 101);
      Values expected;
      for (const Value high : legal(trace, written, ~kLow)) {
        for (const Value low : legal(trace, written, kLow)) expected.insert(high | low);
      }
      torn += expected.size() > 2 ? 1 : 0;
      ASSERT_EQ(reachable(trace, written, {.unit = 4}, pages), expected) << shown(trace);
    });
  }
  EXPECT_GT(torn, 20u);
}

// Long executions with small buffers: nothing illegal, whatever was dropped.
TEST(JumbleJava, BoundedBuffersReturnLegalValuesOnly) {
  analyze::HeapPages pages;
  analyze::Random random(7);
  for (unsigned round = 0; round < 4000; ++round) {
    Pool pool(pages);
    Pjmm m(pool, 2 + round % 3);
    Trace trace;
    std::vector<Value> written;
    unsigned holder = 9;
    for (unsigned t = 0; t < 3; ++t) m.order().thread(ThreadId{t});
    while (trace.size() < 15) {
      const auto t = static_cast<unsigned>(random.below(3));
      Event e = wr(t, kX);
      if (const auto what = random.below(8); what < 3) {
        e = rd(t, kX);
      } else if (what == 3 && holder == 9) {
        e = acq(t, 1);
        holder = t;
      } else if (what == 4 && holder == t) {
        e = rel(t, 1);
        holder = 9;
      } else if (what == 5) {
        e = random.below(2) == 0 ? vr(t, 100) : vw(t, 100);
      }
      trace.push_back(e);
      written.push_back(1 + random.below(3));
      if (e.kind == EventKind::Read) {
        Chooser chooser(static_cast<Heuristic>(random.below(jumble::kHeuristics)), random);
        const Value v = m.read(e.thread, kX, chooser).value;
        ASSERT_TRUE(legal(trace, written).count(v) == 1) << shown(trace);
      }
      step(m, e, written.back());
    }
    cover_jumble(m.counts());
  }
}

// Figure 7, event by event.
TEST(JumbleJava, Figure7) {
  analyze::HeapPages pages;
  Pool pool(pages);
  Pjmm m(pool);
  begin_threads(m, {wr(0, kX), rd(1, kX)});
  auto visible = [&] {
    Values v;
    const auto set = m.buffer(kX).visible(m.order().thread(ThreadId{1}).clock);
    for (unsigned i = 0; i < m.buffer(kX).size(); ++i) {
      if ((set >> i & 1) != 0) v.insert(m.buffer(kX)[i].value);
    }
    return v;
  };
  step(m, acq(0, 1), 0);
  step(m, wr(0, kX), 13);
  step(m, wr(0, kX), 42);
  step(m, rel(0, 1), 0);
  EXPECT_EQ(visible(), (Values{0, 13, 42}));
  step(m, acq(1, 1), 0);
  EXPECT_EQ(visible(), (Values{42}));
  EXPECT_EQ(m.buffer(kX).size(), 3u);
  m.compress(kX);
  EXPECT_EQ(m.buffer(kX).size(), 1u);
  EXPECT_EQ(visible(), (Values{42}));
  cover_jumble(m.counts());
}

}  // namespace
}  // namespace steward::test
