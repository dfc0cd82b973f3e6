// Every feasible trace of a scope, up to renaming: threads, variables and locks appear in the order
// of their numbers, so that of all traces that differ in names only, one is made. A trace ends in an
// access, since only an access gets a verdict.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "support/events.h"

namespace steward::test {

struct Scope {
  unsigned threads = 3;
  unsigned variables = 2;
  unsigned locks = 2;
  unsigned volatiles = 1;
  bool fork_join = true;
  bool sampling_global = false;
  bool sampling_thread = false;
  bool atomics = false;
  unsigned length = 6;
};

class Enumerator {
 public:
  // f(trace) for each trace of exactly scope.length events. `part` of `parts`: a share of them, for
  // workers; shares are disjoint and together all.
  template <class F>
  static std::uint64_t run(const Scope& scope, unsigned part, unsigned parts, F f) {
    if (scope.length < kSplit && part != 0) return 0;  // too short to share
    Enumerator e(scope, part, parts);
    e.extend(0, f);
    return e.made_;
  }

 private:
  Enumerator(const Scope& scope, unsigned part, unsigned parts)
      : scope_(scope), part_(part), parts_(parts), trace_(scope.length) {}

  static constexpr unsigned kMax = 4;
  enum class Life : std::uint8_t { Fresh, Live, Joined };
  static constexpr std::uint8_t kFree = 0xff;
  struct State {
    std::array<Life, kMax> life{};
    std::array<bool, kMax> sampling{};
    std::array<std::uint8_t, kMax> holder{kFree, kFree, kFree, kFree};
    unsigned threads = 0, variables = 0, locks = 0;  // that have appeared
    bool sampling_all = false;
  };

  template <class F>
  void extend(unsigned depth, F& f) {
    if (depth == kSplit && shares_++ % parts_ != part_) return;
    if (depth == scope_.length) {
      ++made_;
      f(trace_);
      return;
    }
    const bool last = depth + 1 == scope_.length;
    const State saved = state_;
    auto with = [&](Event e, auto change) {
      e.site = SiteId{depth + 1};
      trace_[depth] = e;
      change(state_);
      extend(depth + 1, f);
      state_ = saved;
    };
    auto none = [](State&) {};
    const unsigned actors = std::min(saved.threads + 1, scope_.threads);
    for (unsigned t = 0; t < actors; ++t) {
      if (saved.life[t] == Life::Joined) continue;
      state_.life[t] = Life::Live;
      state_.threads = std::max(saved.threads, t + 1);
      const State acting = state_;
      auto step = [&](Event e, auto change) {
        state_ = acting;
        with(e, change);
      };
      const unsigned variables = std::min(saved.variables + 1, scope_.variables);
      for (unsigned x = 0; x < variables; ++x) {
        auto seen = [&](State& s) { s.variables = std::max(s.variables, x + 1); };
        const Address a = 0x1000 + 8 * x;
        step(rd(t, a), seen);
        step(wr(t, a), seen);
        if (scope_.atomics) {
          step(ard(t, a), seen);
          step(awr(t, a), seen);
        }
      }
      if (last) {
        state_ = saved;
        continue;
      }
      const unsigned locks = std::min(saved.locks + 1, scope_.locks);
      for (unsigned m = 0; m < locks; ++m) {
        if (saved.holder[m] == kFree) {
          step(acq(t, 1 + m), [&](State& s) {
            s.locks = std::max(s.locks, m + 1);
            s.holder[m] = static_cast<std::uint8_t>(t);
          });
        } else if (saved.holder[m] == t) {
          step(rel(t, 1 + m), [&](State& s) { s.holder[m] = kFree; });
        }
      }
      for (unsigned x = 0; x < scope_.volatiles; ++x) {
        step(vr(t, 100 + x), none);
        step(vw(t, 100 + x), none);
      }
      if (scope_.fork_join) {
        const unsigned next = acting.threads;
        if (next < scope_.threads) {
          step(fork(t, next), [&](State& s) {
            s.life[next] = Life::Live;
            s.threads = next + 1;
          });
        }
        for (unsigned u = 0; u < saved.threads; ++u) {
          if (u == t || saved.life[u] != Life::Live || holds(saved, u)) continue;
          step(join(t, u), [&](State& s) { s.life[u] = Life::Joined; });
        }
      }
      if (scope_.sampling_thread) {
        step(saved.sampling[t] ? send(t) : sbegin(t),
             [&](State& s) { s.sampling[t] = !s.sampling[t]; });
      }
      state_ = saved;
    }
    if (scope_.sampling_global && !last) {
      with(saved.sampling_all ? send_all() : sbegin_all(),
           [](State& s) { s.sampling_all = !s.sampling_all; });
    }
  }

  bool holds(const State& s, unsigned t) const {
    for (unsigned m = 0; m < scope_.locks; ++m) {
      if (s.holder[m] == t) return true;
    }
    return false;
  }

  static constexpr unsigned kSplit = 3;  // shares are subtrees of this depth

  Scope scope_;
  unsigned part_;
  unsigned parts_;
  unsigned shares_ = 0;
  std::uint64_t made_ = 0;
  Trace trace_;
  State state_;
};

}  // namespace steward::test
