#include "report/model.h"

#include <algorithm>

namespace steward::report {

namespace {

template <class T>
const T* by_id(const std::vector<T>& all, std::uint32_t id) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const T& t) { return t.id == id; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace

const Thread* Race::thread(std::uint32_t id) const {
  return by_id(threads, id);
}
const Lock* Race::lock(std::uint32_t id) const {
  return by_id(locks, id);
}

std::optional<Harm> harm_named(std::string_view wanted) {
  for (const Harm harm : {Harm::Destructive, Harm::NoHarmSeen, Harm::NotExercised, Harm::Unknown}) {
    if (wanted == name(harm)) return harm;
  }
  return std::nullopt;
}

std::uint64_t Race::runs_seen() const {
  std::uint64_t n = 0;
  for (const Seen& s : seen) n += s.runs;
  return seen.empty() ? 1 : n;
}

std::uint64_t Report::runs() const {
  std::uint64_t n = 0;
  for (const Batch& batch : batches) n += batch.runs;
  return batches.empty() ? 1 : n;
}

std::uint64_t Report::occurrences() const {
  std::uint64_t n = 0;
  for (const Race& race : races) n += race.count;
  return n;
}

}  // namespace steward::report
