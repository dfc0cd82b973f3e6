// Which of the values that a read may return it does return: the paper's five heuristics (section
// 5.1), with fairness.
//
// Fairness: of any unbounded sequence of choices at a variable, some return the latest value. After
// `patience` others in a row it is returned; so that of several threads that spin on one variable
// none is left out for ever, it is also returned by chance, now and then.
#pragma once

#include <cstdint>

#include "core/detector/draws.h"
#include "core/jumble/rules.h"

namespace steward::jumble {

using Value = std::uint64_t;

inline constexpr unsigned kBound = 32;  // the paper's; entries of a buffer have a bit each

enum class Heuristic : std::uint8_t {
  SequentiallyConsistent,
  Oldest,
  OldestButDifferent,
  Random,
  RandomButDifferent,
};
inline constexpr unsigned kHeuristics = 5;

constexpr const char* name(Heuristic h) {
  constexpr const char* kNames[kHeuristics] = {"sequentially-consistent", "oldest",
                                               "oldest-but-different", "random",
                                               "random-but-different"};
  return kNames[static_cast<unsigned>(h)];
}

// The picks of an execution, kept by the caller: to write them down, or to make them again.
class Picks {
 public:
  // A choice of `candidates` values was made: the `pick`th oldest.
  virtual void note(unsigned candidates, unsigned pick) = 0;
  // The next pick of an execution to be repeated; false: there is none, choose.
  virtual bool next(unsigned candidates, unsigned& pick) = 0;

 protected:
  ~Picks() = default;
};

// What the last reads of a variable, or of a part of one, returned.
struct Past {
  Value last = 0;
  bool any = false;
  std::uint16_t stale_run = 0;  // reads in a row that had a choice and did not take the latest
};

// Different values that a read may return, the oldest first, with the entry each is from: of
// entries with the same value, the latest.
class Candidates {
 public:
  void add(Value value, unsigned entry) {
    for (unsigned i = 0; i < count_; ++i) {
      if (values_[i] != value) continue;
      for (; i + 1 < count_; ++i) {  // moves to the end
        values_[i] = values_[i + 1];
        entries_[i] = entries_[i + 1];
      }
      --count_;
      break;
    }
    values_[count_] = value;
    entries_[count_++] = static_cast<std::uint8_t>(entry);
  }
  unsigned size() const { return count_; }
  Value value(unsigned i) const { return values_[i]; }
  unsigned entry(unsigned i) const { return entries_[i]; }

 private:
  Value values_[kBound];
  std::uint8_t entries_[kBound];
  unsigned count_ = 0;
};

class Chooser {
 public:
  static constexpr unsigned kPatience = 32;
  static constexpr std::uint64_t kChance = 64;

  Chooser(Heuristic heuristic, Draws& draws, Picks* picks = nullptr, unsigned patience = kPatience)
      : heuristic_(heuristic), draws_(&draws), picks_(picks), patience_(patience) {}

  // The index of the candidate to return. The last one is the latest write's.
  unsigned choose(const Candidates& c, Past& past, RuleCounts& counts) {
    const unsigned latest = c.size() - 1;
    unsigned pick = latest;
    if (latest != 0) {
      if (picks_ == nullptr || !picks_->next(c.size(), pick)) {
        pick = pick_one(c, past);
        if (pick != latest && is_fair_turn(past)) {
          pick = latest;
          counts.add(Rule::Fairness);
        }
      }
      if (pick > latest) pick = latest;  // an execution repeated that took another way
      if (picks_ != nullptr) picks_->note(c.size(), pick);
      past.stale_run = pick == latest ? 0 : static_cast<std::uint16_t>(past.stale_run + 1);
    }
    past.last = c.value(pick);
    past.any = true;
    return pick;
  }

 private:
  bool is_fair_turn(const Past& past) {
    return past.stale_run >= patience_ || draws_->draw() % kChance == 0;
  }

  unsigned pick_one(const Candidates& c, const Past& past) {
    const unsigned n = c.size();
    const bool different =
        heuristic_ == Heuristic::OldestButDifferent || heuristic_ == Heuristic::RandomButDifferent;
    unsigned excluded = n;  // at most one candidate is what was read last
    for (unsigned i = 0; different && past.any && i < n; ++i) {
      if (c.value(i) == past.last) excluded = i;
    }
    switch (heuristic_) {
      case Heuristic::SequentiallyConsistent:
        return n - 1;
      case Heuristic::Oldest:
      case Heuristic::OldestButDifferent:
        return excluded == 0 ? 1 : 0;
      case Heuristic::Random:
      case Heuristic::RandomButDifferent: {
        if (excluded == n) return static_cast<unsigned>(draws_->draw() % n);
        const auto i = static_cast<unsigned>(draws_->draw() % (n - 1));
        return i < excluded ? i : i + 1;
      }
    }
    return n - 1;
  }

  Heuristic heuristic_;
  Draws* draws_;
  Picks* picks_;
  unsigned patience_;
};

// What a read returned.
struct Choice {
  Value value = 0;
  unsigned candidates = 1;  // different values it could have returned; of a torn read, the most
  bool stale = false;       // not the latest
  unsigned entry = 0;       // that it came from (of a torn read, its oldest part)
};

}  // namespace steward::jumble
