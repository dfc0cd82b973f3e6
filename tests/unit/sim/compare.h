// RADISH against the vector-clock detector: on which accesses each finds a race.
#pragma once

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "core/detector/analysis.h"
#include "core/generic/generic.h"
#include "sim/run/simulation.h"

#include "analyze/heap_pages.h"
#include "support/events.h"

namespace steward::test {

using RacyEvents = std::set<std::uint64_t>;

struct RacySet final : sim::RacySink {
  void race(const sim::RacyAccess& r) override { events.insert(r.event); }
  RacyEvents events;
};

// Caches of a few lines, so that everything is evicted all the time.
inline sim::Config tiny(std::uint64_t cores = 3) {
  sim::Config c;
  c.cores = cores;
  c.l1 = {64 * 2, 1, 1};
  c.l2 = {64 * 2, 2, 10};
  c.l3 = {64 * 4, 2, 35};
  c.eviction_buffer = 2;
  return c;
}

inline RacyEvents simulated(const Trace& trace, const sim::Config& config,
                            sim::Kind kind = sim::Kind::Radish, sim::Fault fault = sim::Fault::None,
                            sim::Counts* counts = nullptr) {
  RacySet found;
  const auto machine = sim::make_simulation(kind, config, fault);
  machine->process(trace, found);
  if (counts != nullptr) *counts = machine->counts();
  return found.events;
}

inline RacyEvents by_vector_clocks(const Trace& trace, bool lard = true) {
  struct Sink final : RaceSink {
    void race(const Race& r) override { events.insert(r.event); }
    RacyEvents events;
  } found;
  analyze::HeapPages pages;
  Pool pool(pages);
  const LardRules rules{lard, lard, lard, lard, lard};
  Analysis<Generic> generic(pool, rules);
  generic.process(trace, found);
  return found.events;
}

inline std::string show(const Event& e) {
  static const char* const kNames[] = {"rd",   "wr",  "acq",   "rel",  "relm", "fork",
                                       "join", "end", "alloc", "free", "move", "switch"};
  std::string s = "T" + std::to_string(raw(e.thread)) + ":" + (e.atomic ? "a" : "");
  const auto k = static_cast<unsigned>(e.kind);
  s += k < std::size(kNames) ? kNames[k] : "?";
  if (e.kind == EventKind::Fork || e.kind == EventKind::Join || e.kind == EventKind::Switch) {
    return s + "(" + std::to_string(e.target) + ")";
  }
  s += "(" + std::to_string(e.address);
  if (e.size != 0) s += "," + std::to_string(e.size);
  if (e.kind == EventKind::Move) s += "->" + std::to_string(e.other);
  return s + ")";
}
inline std::string show(const Trace& t, std::size_t upto) {
  std::string s;
  for (std::size_t i = 0; i < t.size() && i <= upto; ++i) s += show(t[i]) + " ";
  return s;
}

// The first event on which the two differ, or nothing.
inline std::optional<std::uint64_t> difference(const RacyEvents& a, const RacyEvents& b) {
  std::vector<std::uint64_t> d;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(d));
  return d.empty() ? std::nullopt : std::optional(d.front());
}

// A trace that is as short as can be and still tells the two apart.
template <class Differ>
Trace shrink(Trace t, const Differ& differ) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = t.size(); i-- > 0;) {
      Trace without = t;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (!differ(without)) continue;
      t = std::move(without);
      smaller = true;
    }
  }
  return t;
}

}  // namespace steward::test
