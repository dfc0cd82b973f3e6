// A field of an escaped object: its lockset and its state (Figure 2, the states below escaped).
#pragma once

#include "core/lockset/lock_sets.h"
#include "core/lockset/state.h"
#include "event/race.h"

namespace steward::lockset {

// An access as a report shows it.
struct Seen {
  ThreadId thread = kAllThreads;
  SiteId site = kNoSite;
  SetId held{};
  AccessKind kind{};

  bool none() const { return thread == kAllThreads; }
};

class Field {
 public:
  // Memory that belongs to no object has nobody to hand it over: its first thread owns it.
  static Field owned_by(ThreadId t) {
    Field f;
    f.state_ = State::Owned;
    f.seen_[0].thread = t;
    return f;
  }

  State state() const { return state_; }
  SetId lockset() const { return lockset_; }
  ThreadId owner() const { return seen_[0].thread; }  // of an owned one
  bool is_owned_by(ThreadId t) const { return state_ == State::Owned && seen_[0].thread == t; }
  void escape() { *this = Field(); }

  // The access `now`, whose `held` are the locks that protect it.
  Edge advance(const Seen& now, LockSets& sets) {
    const bool write = is_write(now.kind);
    switch (state_) {
      case State::Conflict:
        return Edge::Conflict;
      case State::SharedRead:
      case State::SharedModified:
        break;
      default:
        lockset_ = now.held;
        seen_[0] = now;
        state_ = write ? State::SharedModified : State::SharedRead;
        return write ? Edge::EscapedToSharedModified : Edge::EscapedToSharedRead;
    }
    const bool was_modified = state_ == State::SharedModified;
    lockset_ = sets.intersect(lockset_, now.held);
    // One thread alone needs no lock, whatever it does.
    const bool several = !seen_[1].none() || seen_[0].thread != now.thread;
    if ((write || was_modified) && several && lockset_ == kEmptySet) {
      state_ = State::Conflict;
      return was_modified ? Edge::SharedModifiedToConflict : Edge::SharedReadToConflict;
    }
    remember(now);
    if (was_modified) return Edge::SharedModified;
    if (!write) return Edge::SharedRead;
    state_ = State::SharedModified;
    return Edge::SharedReadToSharedModified;
  }

  // After an edge to conflict: the access of another thread to show beside `now`.
  const Seen& opponent(ThreadId now) const {
    const bool first = seen_[0].thread != now;
    const bool second = !seen_[1].none() && seen_[1].thread != now;
    if (first && second) return is_write(seen_[1].kind) ? seen_[1] : seen_[0];
    return second ? seen_[1] : seen_[0];
  }

  // What memory/granule.h asks of a state.
  bool empty() const { return state_ == State::Escaped; }
  void destroy(Pool&) {}
  Field clone(Pool&) const { return *this; }

 private:
  // Accesses of two threads are kept, writes rather than reads: enough to name an opponent for any
  // third.
  void remember(const Seen& now) {
    for (Seen& s : seen_) {
      if (s.thread != now.thread) continue;
      if (is_write(now.kind) || !is_write(s.kind)) s = now;
      return;
    }
    const bool keep_second = !seen_[1].none() && is_write(seen_[1].kind);
    seen_[keep_second && !is_write(seen_[0].kind) ? 0 : 1] = now;
  }

  State state_ = State::Escaped;
  SetId lockset_{};
  Seen seen_[2];  // of different threads
};

}  // namespace steward::lockset
