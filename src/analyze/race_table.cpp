#include "analyze/race_table.h"

namespace steward::analyze {

void RaceTable::race(const Race& r) {
  ++dynamic_;
  if (addresses_.size() < kMaxDistinct) addresses_.insert(r.address);
  const bool sites_known = r.first.site != kNoSite && r.second.site != kNoSite;
  const Key key{raw(r.first.site), raw(r.second.site), r.first.kind, r.second.kind,
                sites_known ? 0 : r.address};
  const auto found = index_.find(key);
  if (found != index_.end()) {
    ++races_[found->second].count;
    return;
  }
  if (races_.size() == kMaxDistinct) {
    ++unlisted_;
    return;
  }
  index_.emplace(key, races_.size());
  races_.push_back({r, 1});
}

}  // namespace steward::analyze
