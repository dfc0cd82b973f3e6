// Read maps: for each thread that read, when and where. Size 1 is an epoch; size 0 the minimal one.
// The same structure holds concurrent atomic writes, which do not race with each other either.
#pragma once

#include "core/clock/epoch.h"
#include "core/memory/flat_map.h"

namespace steward {

struct Stamp {  // when and where an access happened
  Epoch epoch;
  SiteId site = kNoSite;

  bool empty() const { return epoch.is_minimal(); }
  bool operator==(const Stamp&) const = default;
};

class ReadMap {
 public:
  explicit ReadMap(Pool& pool) : map_(pool) {}

  std::size_t size() const { return map_.size() + (single_.empty() ? 0 : 1); }
  bool empty() const { return size() == 0; }

  // The only entry of a map of size 1, the empty stamp of a map of size 0.
  const Stamp& single() const { return single_; }

  void set_single(Stamp s) {
    map_.clear();
    single_ = s;
  }
  void clear() { set_single({}); }

  void put(Stamp s) {
    if (size() == 0 || (size() == 1 && single_.epoch.slot() == s.epoch.slot())) {
      single_ = s;
      return;
    }
    spill();
    map_.get(raw(s.epoch.slot())) = Value{s.epoch.clock(), s.site};
  }

  void erase(Slot slot) {
    if (!single_.empty()) {
      if (single_.epoch.slot() == slot) single_ = {};
      return;
    }
    map_.erase(raw(slot));
    if (map_.size() == 1) {
      Stamp last;
      for_each([&](const Stamp& s) { last = s; });
      set_single(last);
    }
  }

  template <class F>
  void for_each(F f) const {
    if (!single_.empty()) {
      f(single_);
      return;
    }
    map_.for_each([&](std::uint32_t slot, const Value& v) {
      f(Stamp{Epoch{Slot{slot}, v.clock}, v.site});
    });
  }

  // R <= C. `thread` offers covers(Epoch).
  template <class Thread>
  bool covered_by(const Thread& thread) const {
    bool all = true;
    for_each([&](const Stamp& s) { all = all && thread.covers(s.epoch); });
    return all;
  }

 private:
  struct Value {
    Clock clock;
    SiteId site;
  };
  // Invariant: single_ is empty or map_ is. So a map of size 0 or 1 owns no memory.
  void spill() {
    if (single_.empty()) return;
    map_.get(raw(single_.epoch.slot())) = Value{single_.epoch.clock(), single_.site};
    single_ = {};
  }

  Stamp single_;
  FlatMap<std::uint32_t, Value> map_;
};

}  // namespace steward
