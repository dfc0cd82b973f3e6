#include "runtime/sample/sweep.h"

#include <algorithm>
#include <cstring>

#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/short_list.h"

namespace steward::rt {
namespace {

// Granules with a side are seen to afterwards: who makes one holds its stripe and asks for the
// region, so a stripe is not asked for while the regions are held.
class Sides {
 public:
  void add(uptr granule) {
    if (count_ < kMax) granules_[count_++] = granule;  // the others are for the next sweep
  }
  template <class Past>
  void forget(const Past& past) {
    for (; count_ > 0; --count_) {
      LockedSide side(granules_[count_ - 1], false);
      if (!side) continue;
      side->accesses.drop_if([&](Epoch30 e) { return past.covers(e); });
      side->forget();
    }
  }

 private:
  static constexpr std::size_t kMax = 1 << 16;
  std::size_t count_ = 0;
  uptr granules_[kMax];
};
Sides sides;

// Owners wait meanwhile; in everybody's regions an exchange of theirs fails, and is tried again.
template <class Past>
bool forget(ShadowCell& cell, uptr granule, const Past& past) {
  ShadowCell seen = cell.load();
  if (seen.write == 0 && seen.read == 0) return true;
  const Word w(seen.write), r(seen.read);
  if (w.is_side()) {
    sides.add(granule);
    return false;
  }
  bool gone;
  if (w.is_shared()) {
    const Readers all = Readers::decode(seen);
    gone = past.covers(all.write);
    for (const Readers::Entry& e : all.entries) gone = gone && past.covers(e.epoch);
  } else if (w.is_list()) {
    const ShortList list = ShortList::of(seen);
    gone =
        std::all_of(list.begin(), list.end(), [&](const auto& e) { return past.covers(e.epoch); });
  } else {
    gone = past.covers(w.low()) && past.covers(w.high()) && past.covers(r.low()) &&
           past.covers(r.high());
  }
  return gone && cell.exchange(seen, {0, 0});
}

struct Everything {
  bool covers(Epoch30) const { return true; }
};

enum class How { Look, Zero, GiveBack };  // Look at each cell; or all are past

template <class Past>
std::size_t sweep_regions(const Past& past, How how) {
  std::size_t count;
  owner::Touched* regions = owner::take_touched(count);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const owner::Touched region = regions[i];
    const uptr begin = region << owner::kRegionBits;
    // In everybody's regions others are at work: cells change by exchange only, and the pages stay.
    const bool alone = !owner::is_everybodys(begin);
    bool empty = true;
    if (how == How::Look || !alone || has_sides(begin)) {
      for (uptr g = begin; g < begin + owner::kRegion; g += 8) {
        empty = forget(ShadowCell::of(g), g, past) && empty;
      }
    } else if (how == How::Zero) {
      std::memset(&ShadowCell::of(begin), 0, 2 * owner::kRegion);
    }
    empty = empty && alone && how != How::Zero;
    if (empty) sys::discard(shadow_of(begin), 2 * owner::kRegion);
    owner::give_back(region, empty);
    if (!empty) regions[left++] = region;
  }
  owner::keep_touched(left);
  sides.forget(past);
  return left;
}

}  // namespace

void drop_all_accesses() {
  sweep_regions(Everything{}, How::Zero);
}
void give_shadow_back() {
  sweep_regions(Everything{}, How::GiveBack);
}

std::size_t sweep(const CommonPast& past) {
  return sweep_regions(past, How::Look);
}

}  // namespace steward::rt
