// Every small trace, every detector, against the oracle. One process, all cores, the numbers printed.
//   exhaustive [--longer N]    N more events than the length chosen for one to two minutes
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "core/fasttrack/fasttrack.h"
#include "core/generic/generic.h"
#include "core/oracle/oracle.h"
#include "core/pacer/pacer.h"
#include "exhaustive/enumerate.h"
#include "support/run.h"
#include "unit/core/pacer_spec.h"

namespace steward::test {
namespace {

struct Tally {
  std::uint64_t traces = 0;
  std::uint64_t racy = 0;
};

std::mutex report_lock;
std::atomic<int> failures = 0;

std::string show(const Event& e) {
  static const char* const kNames[] = {"rd",    "wr",   "acq", "rel",  "relm",  "fork", "join",
                                       "end",   "",     "",    "",     "",      "",     "",
                                       "",      "",     "sb",  "se",   ""};
  const std::string who = e.thread == kAllThreads ? "*" : "T" + std::to_string(raw(e.thread));
  const std::uint64_t what = e.kind == EventKind::Fork || e.kind == EventKind::Join ? e.target
                                                                                    : e.address;
  return who + ":" + (e.atomic ? "a" : "") + kNames[static_cast<unsigned>(e.kind)] + "(" +
         std::to_string(what) + ")";
}

void fail(const Trace& trace, const char* detector, const char* what) {
  if (failures++ > 5) return;
  const std::lock_guard lock(report_lock);
  std::printf("%s: %s on", detector, what);
  for (const Event& e : trace) std::printf(" %s", show(e).c_str());
  std::printf("\n");
}

// Detectors run in memory that is reused from trace to trace.
template <class Algorithm, class... Args>
void detect(PageSource& pages, const Trace& trace, Found& found, Args... args) {
  found.races.clear();
  Pool pool(pages);
  Analysis<Algorithm> analysis(pool, LardRules{}, args...);
  analysis.process(trace, found);
}

struct Worker {
  RecycledPages pages;
  Found found;
  Tally tally;

  void precise(const Trace& trace) {
    ++tally.traces;
    oracle::Oracle<oracle::SmallSet> oracle;
    std::array<std::vector<oracle::Pair>, 16> at;  // the races that end in each event
    bool any = false;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      at[i] = oracle.add(trace[i]);
      any = any || !at[i].empty();
    }
    tally.racy += any ? 1 : 0;
    auto is_race = [&](const Race& r) {
      const auto& pairs = at[second_event(r)];
      return std::find(pairs.begin(), pairs.end(),
                       oracle::Pair{first_event(r), second_event(r)}) != pairs.end();
    };

    detect<Generic>(pages, trace, found);
    std::uint64_t reported = 0;
    for (const Race& r : found.races) {
      if (!is_race(r)) fail(trace, "generic", "false report");
      reported |= std::uint64_t{1} << second_event(r);
    }
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if ((reported >> i & 1) == 0 && !at[i].empty()) fail(trace, "generic", "missed race");
    }

    detect<FastTrack>(pages, trace, found);
    for (const Race& r : found.races) {
      if (!is_race(r)) fail(trace, "fasttrack", "false report");
    }
    // A variable has a report exactly when it has a race, and no later than its first race.
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (at[i].empty()) continue;
      bool found_by_now = false;
      for (const Race& r : found.races) {
        found_by_now = found_by_now || (r.address == trace[i].address && second_event(r) <= i);
      }
      if (!found_by_now) fail(trace, "fasttrack", "missed race");
    }
  }

  void sampled(const Trace& trace, Pacer::Scope scope) {
    ++tally.traces;
    const PacerSpec<oracle::SmallSet> spec(trace, scope);
    tally.racy += spec.any_sampled_race() ? 1 : 0;
    detect<Pacer>(pages, trace, found, scope);
    if (const char* wrong = spec.violation(found.races)) fail(trace, "pacer", wrong);
  }
};

template <class Check>
void enumerate(const char* title, const Scope& scope, Check check) {
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Tally> tallies(workers);
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      Worker worker;
      Enumerator::run(scope, w, workers, [&](const Trace& t) { check(worker, t); });
      tallies[w] = worker.tally;
    });
  }
  for (auto& t : threads) t.join();
  Tally all;
  for (const Tally& t : tallies) {
    all.traces += t.traces;
    all.racy += t.racy;
  }
  std::printf("%-58s length %u: %10llu traces, %9llu racy\n", title, scope.length,
              static_cast<unsigned long long>(all.traces),
              static_cast<unsigned long long>(all.racy));
  std::fflush(stdout);
  if (all.racy == 0 && scope.length > 2) {
    std::printf("no race in any trace: the check shows nothing\n");
    ++failures;
  }
}

}  // namespace
}  // namespace steward::test

int main(int argc, char** argv) {
  using namespace steward;
  using namespace steward::test;
  const unsigned more =
      argc == 3 && std::strcmp(argv[1], "--longer") == 0 ? std::strtoul(argv[2], nullptr, 10) : 0;
  auto precise = [](Worker& w, const Trace& t) { w.precise(t); };

  for (unsigned n = 1; n <= 6 + more; ++n) {
    enumerate("generic, fasttrack: 3 threads, 2 variables, 2 locks, 1 volatile",
              {.length = n}, precise);
  }
  for (unsigned n = 2; n <= 5 + more; ++n) {
    enumerate("generic, fasttrack: with atomic accesses", {.atomics = true, .length = n}, precise);
  }
  enumerate("generic, fasttrack: 2 threads, 1 variable, 1 lock, 1 volatile",
            {.threads = 2, .variables = 1, .locks = 1, .length = 7 + more}, precise);
  enumerate("pacer, global periods: 2 threads, 1 variable, 1 volatile",
            {.threads = 2, .variables = 1, .locks = 0, .fork_join = false, .sampling_global = true,
             .length = 8 + more},
            [](Worker& w, const Trace& t) { w.sampled(t, Pacer::Scope::Global); });
  enumerate("pacer, a thread's own periods: 2 threads, 1 variable, 1 volatile",
            {.threads = 2, .variables = 1, .locks = 0, .fork_join = false, .sampling_thread = true,
             .length = 8 + more},
            [](Worker& w, const Trace& t) { w.sampled(t, Pacer::Scope::Thread); });
  enumerate("pacer, global periods: 3 threads, 1 variable, 1 lock",
            {.threads = 3, .variables = 1, .locks = 1, .volatiles = 0, .sampling_global = true,
             .length = 6 + more},
            [](Worker& w, const Trace& t) { w.sampled(t, Pacer::Scope::Global); });
  if (failures != 0) std::printf("%d failures\n", failures.load());
  return failures == 0 ? 0 : 1;
}
