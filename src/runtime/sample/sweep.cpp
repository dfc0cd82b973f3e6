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
    if (count_ < kMax) {
      granules_[count_++] = granule;
    } else {
      more_ = granule;  // one of those that are for the next sweep
    }
  }
  // Returns one of which something is left, or 0.
  template <class Past>
  uptr forget(const Past& past) {
    uptr left = more_;
    more_ = 0;
    for (; count_ > 0; --count_) {
      const uptr granule = granules_[count_ - 1];
      {
        LockedSide side(granule, false);
        if (side) {
          side->accesses.drop_if([&](Epoch30 e) { return past.covers(e); });
          side->forget();
        }
      }
      if (is_recorded(granule)) left = granule;
    }
    return left;
  }

 private:
  static constexpr std::size_t kMax = 1 << 16;
  std::size_t count_ = 0;
  uptr more_ = 0;
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

// Regions whose shadow goes back to the kernel, neighbours by one call. Each becomes nobody's after
// that, unless it is everybody's.
class Emptied {
 public:
  void add(owner::Touched region) {
    if (count_ == kMost || region != first_ + count_) flush();
    if (count_ == 0) first_ = region;
    ++count_;
  }

  void flush() {
    if (count_ == 0) return;
    sys::discard(shadow_of(first_ << owner::kRegionBits), count_ * 2 * owner::kRegion);
    for (; count_ > 0; --count_) {
      const owner::Touched region = first_ + count_ - 1;
      owner::give_back(region, !owner::is_everybodys(region << owner::kRegionBits));
    }
  }

 private:
  static constexpr unsigned kMost = 64;  // what its owners wait for
  owner::Touched first_ = 0;
  std::size_t count_ = 0;
};

// Returns a granule of which something is left, or 0.
template <class Past>
uptr sweep_regions(const Past& past, How how) {
  std::size_t count;
  owner::Touched* regions = owner::take_touched(count);
  std::size_t left = 0;
  uptr recorded = 0;
  Emptied emptied;
  for (std::size_t i = 0; i < count; ++i) {
    const owner::Touched region = regions[i];
    const uptr begin = region << owner::kRegionBits;
    // In everybody's regions others may be at work. Cells change by exchange only, one that finds
    // its page gone fails; they stay everybody's.
    const bool alone = !owner::is_everybodys(begin);
    const bool has = has_sides(begin);
    bool empty = true;
    if (how == How::Look || has || (how == How::Zero && !alone)) {
      for (uptr g = begin; g < begin + owner::kRegion; g += 8) {
        if (forget(ShadowCell::of(g), g, past)) continue;
        empty = false;
        if (!Word(ShadowCell::of(g).load().write).is_side()) recorded = g;
      }
    } else if (how == How::Zero) {
      std::memset(&ShadowCell::of(begin), 0, 2 * owner::kRegion);
    }
    const bool goes = empty && (alone ? how != How::Zero : how == How::GiveBack && !has);
    if (!goes || !alone) regions[left++] = region;
    if (goes) {
      emptied.add(region);
    } else {
      owner::give_back(region, false);
    }
  }
  emptied.flush();
  owner::keep_touched(left);
  const uptr of_side = sides.forget(past);
  return recorded != 0 ? recorded : of_side;
}

}  // namespace

void drop_all_accesses() {
  sweep_regions(Everything{}, How::Zero);
}
void give_shadow_back() {
  sweep_regions(Everything{}, How::GiveBack);
}

bool is_recorded(uptr granule) {
  const Word w(__atomic_load_n(&ShadowCell::of(granule).write, __ATOMIC_ACQUIRE));
  if (!w.is_side()) return w.bits() != 0;
  LockedSide side(granule, false);
  return !side || side->accesses.begin() != side->accesses.end();
}

uptr sweep(const CommonPast& past) {
  const std::uint64_t moves = moves_ended.load();
  const uptr recorded = sweep_regions(past, How::Look);
  // What is on its way may have been missed at both of its places: look again.
  constexpr uptr kAnywhere = 8;
  return recorded == 0 && moves_begun.load() != moves ? kAnywhere : recorded;
}

}  // namespace steward::rt
